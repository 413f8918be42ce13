import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tournament.elo import SCALE, ratings
from agent.tournament.errors import PlanError
from agent.tournament.standings import read_requirement, standings
from tests.agent.tournament.outcomes import outcome


def test_scores_errors_and_meetings_are_counted_for_players_wherever_they_sit():
    rows = standings(
        "abc",
        [
            outcome("ab", (100, 0)),
            outcome("ba", (50, 50), 2, errors=("TO TO", "IL")),
            outcome("ac", (0, 100), 3, game="trio"),
            outcome("cb", (), 4, errors=("CE", ""), completed=False),
        ],
    )
    assert [row.name for row in rows] == ["c", "a", "b"]
    a, b, c = sorted(rows, key=lambda row: row.name)
    assert (a.score.count, a.score.mean) == (3, 50.0)
    assert (b.score.mean, b.errors) == (25.0, {"TO": 2, "IL": 0, "CE": 0})
    assert (a.against["b"].mean, a.against["c"].mean, b.against["c"].count) == (75.0, 0.0, 0)
    assert (a.games["nim"].mean, a.games["trio"].mean, c.errors["CE"]) == (75.0, 0.0, 1)


def test_a_player_against_itself_has_no_rating_and_both_scores():
    (row,) = standings("a", [outcome("aa", (100, 0))])
    assert row.rating is None
    assert (row.score.count, row.score.mean) == (2, 50.0)


def test_before_any_match_the_table_is_empty_and_not_wrong():
    assert [(row.score.mean, row.rating) for row in standings("ab", [])] == [(None, None)] * 2


def test_elo_is_what_the_score_against_an_equal_says():
    """76 of 100 is 200 points, which a wide prior draws in a little."""
    first, second = ratings(2, [(0, 1, 1.0)] * 76 + [(0, 1, 0.0)] * 24)
    assert first.elo - second.elo == pytest.approx(SCALE * 1.1527, rel=0.05)
    assert first.elo == pytest.approx(-second.elo)
    assert first.low < first.elo < first.high
    assert first.low > second.high


def test_more_matches_make_ratings_surer():
    wide, narrow = (ratings(2, [(0, 1, 1.0), (0, 1, 0.0)] * count)[0] for count in (5, 50))
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0])), max_size=30))
def test_ratings_are_finite_have_mean_zero_and_do_not_depend_on_the_order(results):
    met = [result for result in results if result[0] != result[1]]
    found = ratings(4, met)
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=0.5)
    assert all(rating.low <= rating.elo <= rating.high for rating in found)
    assert [r.elo for r in ratings(4, met[::-1])] == pytest.approx([r.elo for r in found], abs=0.2)


@pytest.mark.parametrize(
    ("text", "met"), [("a>=75", True), ("a > 75", False), ("a <= 75.0", True), ("b<25", False), ("c>=0", False)]
)
def test_a_requirement_compares_a_mean_score(text, met):
    rows = standings("abc", [outcome("ab", (100, 0)), outcome("ab", (50, 50), 2)])
    assert read_requirement(text, "abc").met(rows) is met


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("me", "'me': give a player, a comparison and a mean score, as in 'me>=60'"),
        ("d>=3", "unknown player 'd'; known: a, b, c"),
        ("a=>3", "give a player"),
    ],
)
def test_a_wrong_requirement_is_one_clear_message(text, words):
    with pytest.raises(PlanError, match=re.escape(words)):
        read_requirement(text, "abc")
