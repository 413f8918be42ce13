"""One simulation: playouts as values of a leaf, the best line of one player, and moves made at once."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.machine import Playouts
from search.game import SearchedGame
from search.options import SearchOptions
from search.plain.mcts import simulate
from search.root.choice import choose, mixture
from search.root.statistics import JointMoves, MoveStatistics, Statistics
from tests.search.games import Gamble, Line, Matrix, PythonGame, Walk
from tests.search.helpers import searching, thought, value, visits


class Canned(PythonGame):
    """Answers every request for playouts with the same games: (goals, length, finished)."""

    def __init__(self, roles: tuple[str, ...], *games: tuple[tuple[int, ...], int, bool]) -> None:
        self.roles, self.games = roles, games

    def playouts(self, _state: Any, _count: int, _seed: int, max_steps: int = 10_000) -> Playouts:
        assert max_steps
        goals, lengths, finished = zip(*self.games, strict=True)
        return Playouts(np.array(goals, np.float32), np.array(lengths, np.int32), np.array(finished, np.bool_))


def values(game: PythonGame, role: int = 0, max_steps: int = 10) -> tuple[float, ...]:
    return simulate(SearchedGame(game, role), None, len(game.games), 1, max_steps).values


def test_the_values_are_the_means_of_the_goals() -> None:
    game = Canned(("left", "right"), ((100, 0), 4, True), ((30, 70), 6, True))
    sample = simulate(SearchedGame(game, 0), None, 2, 1, 10)
    assert sample.values == pytest.approx((0.65, 0.35))
    assert (sample.best, sample.made, sample.steps, sample.ended) == (1.0, 2, 10, True)


def test_a_game_cut_before_anyone_had_anything_says_nothing() -> None:
    game = Canned(("left", "right"), ((0, 0), 10, False))
    assert values(game) == (0.5, 0.5)


def test_a_game_cut_where_someone_has_something_says_so() -> None:
    assert values(Canned(("left", "right"), ((0, 40), 10, False))) == pytest.approx((0, 0.4))


def test_a_game_ended_by_a_role_without_a_move_keeps_its_goals() -> None:
    assert values(Canned(("left", "right"), ((0, 0), 7, False))) == (0, 0)


def test_a_puzzle_that_was_cut_short_is_not_half_solved() -> None:
    assert values(Canned(("alone",), ((0,), 10, False))) == (0,)


def test_the_goals_of_chance_are_nothing() -> None:
    assert values(Canned(("random", "player"), ((100, 60), 3, True)), role=1) == pytest.approx((0, 0.6))


def test_real_playouts_keep_to_their_steps() -> None:
    for game, role in ((Line(4, 4, 4), 0), (Walk(50), 0), (Gamble({"a": [1]}), 1)):
        sample = simulate(SearchedGame(game, role), game.start, 5, 3, 6)
        assert sample.made == 5
        assert sample.steps <= 30


class Corridor(PythonGame):
    """`length` choices among `width` doors; only the whole secret opens: 100, else the share of right doors in tens.

    State: the doors taken.
    """

    roles = ("alone",)
    start = ()

    def __init__(self, length: int, width: int, seed: int) -> None:
        rng = Random(seed)
        self.width = width
        self.secret = tuple(str(rng.randrange(width)) for _ in range(length))

    def words(self, _state: Any) -> list[list[str]]:
        return [[str(door) for door in range(self.width)]]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        return (*state, words[0])

    def over(self, state: Any) -> bool:
        return len(state) == len(self.secret)

    def reward(self, state: Any) -> tuple[int | None, ...]:
        right = sum(1 for door, secret in zip(state, self.secret, strict=False) if door == secret)
        return (100 if right == len(self.secret) else 90 * right // len(self.secret),)


@settings(max_examples=15)
@given(st.integers(0, 1_000))
def test_what_is_played_is_at_least_the_best_line_known_at_the_start(seed: int) -> None:
    game = Corridor(length=6, width=3, seed=seed)
    search, state = searching(game, simulations=60, seed=seed), game.initial()
    search.think(inf)
    known = search._mcts.line.value
    while not game.over(state):
        joint = (search.best(),)
        state = game.next(state, joint)
        search.advance(joint, state)
        search.think(inf)
    assert (game.reward(state)[0] or 0) >= 100 * known


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


def test_a_move_proven_to_take_all_is_played_however_rarely_it_was_visited() -> None:
    own = MoveStatistics([60, 20], [0.5, 0.5], [])
    moves = JointMoves.of((("a", "b"), ("c", "d")), -1)  # type: ignore[arg-type]  # the terms are not read
    found = Statistics(80, 40.0, None, moves, (own, own), winning=(1, None))
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
