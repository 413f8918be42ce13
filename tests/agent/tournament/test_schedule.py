from collections import Counter
from itertools import combinations

import pytest

from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import line_up_of, schedule, seatings

PLAYERS = dict.fromkeys("abcd", "legal")
ROLES = {"two": ("x", "random", "y"), "one": ("x",), "three": ("x", "y", "z")}


def pairings(*games, roles=ROLES, **plan):
    return schedule(TournamentPlan(PLAYERS, games, **plan), roles)


def test_everybody_meets_everybody_in_every_seat_equally_often():
    played = [pairing.players for pairing in pairings("two", rounds=3)]
    assert len(played) == 3 * 6 * 2
    assert set(Counter(played).values()) == {3}
    assert Counter(who for players in played for who in players) == dict.fromkeys("abcd", 18)


def test_a_round_is_over_before_the_next_begins():
    played = [pairing.players for pairing in pairings("two", rounds=2)]
    assert played[:12] == played[12:]


def test_in_a_gauntlet_the_challenger_meets_all_others():
    played = [pairing.players for pairing in pairings("two", style="gauntlet", challenger="b")]
    assert len(played) == 6
    assert all("b" in players for players in played)


def test_chance_in_any_case_takes_no_seat():
    """`RANDOM` is the role that the manager plays, as `random` is."""
    assert pairings("two", roles={"two": ("X", "RANDOM", "Y")}) == pairings("two")


def test_a_game_for_one_is_played_by_each():
    assert [pairing.players for pairing in pairings("one")] == [("a",), ("b",), ("c",), ("d",)]
    assert len(pairings("one", style="gauntlet", challenger="a")) == 4


def test_seats_beyond_the_players_are_filled_by_them_again():
    plan = TournamentPlan({"a": "legal", "b": "legal"}, ("three",))
    assert [pairing.players for pairing in schedule(plan, ROLES)] == [("a", "b", "a"), ("b", "a", "a"), ("a", "a", "b")]


def test_the_seatings_of_one_line_up_share_a_seed_and_keys_are_all_different():
    found = pairings("two", "one", "three", rounds=2)
    assert len({pairing.key for pairing in found}) == len(found)
    assert len({pairing.seed for pairing in found}) == 2 * (6 + 4 + 4)


@pytest.mark.parametrize(("line_up", "count"), [("a", 1), ("aa", 1), ("ab", 2), ("abc", 3), ("aab", 3), ("abab", 2)])
def test_no_seating_occurs_twice(line_up, count):
    assert len(seatings(line_up)) == len(set(seatings(line_up))) == count


def test_the_line_up_is_read_from_the_key_of_a_match():
    assert {line_up_of(pairing.key) for pairing in pairings("two")} == set(combinations("abcd", 2))


@pytest.mark.parametrize("key", ["", "x", "[]", "3", '["nim", 3]', "null", "[" * 100_000])
def test_an_edited_key_has_no_line_up(key: str):
    assert line_up_of(key) == ()
