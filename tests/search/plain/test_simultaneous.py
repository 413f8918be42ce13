"""Moves made at once."""

from __future__ import annotations

from random import Random

import pytest

from search.options import SearchOptions
from search.root.choice import choose, mixture
from search.root.statistics import JointMoves, MoveStatistics, Statistics
from tests.search.games import Matrix
from tests.search.helpers import thought, value, visits

PENNIES = Matrix({(a, b): (100, 0) if a == b else (0, 100) for a in "ht" for b in "ht"})
# Row's equilibrium: "a" with 3 in 13, because a miss at "b" costs less than one at "a".
BIASED = Matrix({("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (30, 70)})
DILEMMA = Matrix({("c", "c"): (60, 60), ("c", "d"): (0, 100), ("d", "c"): (100, 0), ("d", "d"): (30, 30)})


def draws(game: Matrix, role: int, number: int, tolerance: float = 0.02) -> list[str]:
    search = thought(game, role, simulations=3_000)
    found = search._mcts.tree.root.statistics(role)
    assert found.moves is not None
    made = SearchOptions(mix_tolerance=tolerance)
    return [str(found.moves.legal[role][choose(found, role, made, Random(seed))]) for seed in range(number)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("role", [0, 1])
def test_in_matching_pennies_both_sides_are_tried_equally_and_are_worth_the_half(seed: int, role: int) -> None:
    report = thought(PENNIES, role, simulations=4_000, seed=seed).report()
    assert visits(report, "h") == pytest.approx(2_000, abs=200)
    assert value(report, "h") == pytest.approx(50, abs=15)
    assert not report.solved


def test_the_move_played_in_matching_pennies_cannot_be_foretold() -> None:
    drawn = draws(PENNIES, 0, 200)
    assert 60 < drawn.count("h") < 140


def test_without_tolerance_the_most_visited_move_is_played_always() -> None:
    assert len(set(draws(PENNIES, 0, 50, 0.0))) == 1


def test_visits_come_near_an_uneven_equilibrium() -> None:
    report = thought(BIASED, simulations=20_000).report()
    assert visits(report, "a") / 20_000 == pytest.approx(3 / 13, abs=0.08)


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_a_dominated_move_is_left_though_both_would_gain_by_it(role: int, seed: int) -> None:
    report = thought(DILEMMA, role, simulations=3_000, seed=seed).report()
    assert visits(report, "d") > 2_000
    assert set(draws(DILEMMA, role, 40)) == {"d"}


def test_only_moves_of_about_the_best_value_are_mixed() -> None:
    own = MoveStatistics([100, 90, 80, 5], [0.5, 0.48, 0.3, 0.5], [])
    assert mixture(own, 0.05) == [100.0, 90.0, 0.0, 0.0]
    assert mixture(own, 0.0) == [100.0, 0.0, 0.0, 0.0]


def test_nothing_is_weighed_before_the_first_visit() -> None:
    assert mixture(MoveStatistics([0, 0], [0.5, 0.5], []), 0.05) == [0.0, 0.0]


def test_a_move_proven_to_take_all_is_played_however_rarely_it_was_visited() -> None:
    own = MoveStatistics([60, 20], [0.5, 0.5], [])
    moves = JointMoves.of((("a", "b"), ("c", "d")), -1)  # type: ignore[arg-type]  # the terms are not read
    found = Statistics(80, 40.0, None, moves, (own, own), sure=(1, None))
    assert {choose(found, 0, SearchOptions(), Random(seed)) for seed in range(20)} == {1}
    assert {choose(found, 1, SearchOptions(), Random(seed)) for seed in range(20)} == {0, 1}


def test_three_roles_choosing_at_once_each_find_their_dominant_move() -> None:
    class Vote(Matrix):
        roles = ("a", "b", "c")

        def words(self, _state: object) -> list[list[str]]:
            return [["no", "yes"]] * 3

        def reward(self, state: tuple[str, ...] | None) -> tuple[int | None, ...]:
            return (None,) * 3 if state is None else tuple(20 + 60 * (word == "yes") for word in state)

    for role in range(3):
        assert str(thought(Vote({}), role, simulations=500).best()) == "yes"
