"""Playouts as values of a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reasoner.machine import Playouts
from search.game import SearchedGame
from search.plain.mcts import simulate
from tests.search.games import Gamble, Line, PythonGame, Walk


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
