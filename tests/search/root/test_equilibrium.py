"""Mixtures of matrices whose equilibria are known."""

from __future__ import annotations

import numpy as np
import pytest

from search.options import SearchOptions
from search.root import equilibrium
from search.root.equilibrium import match_regrets, mixtures
from search.root.mixture import likely
from search.root.statistics import JOINT, JointMoves, MoveStatistics, Statistics
from tests.search.games import Matrix
from tests.search.helpers import thought

ROSHAMBO = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def test_an_uneven_game_of_two_moves_has_the_mixture_that_makes_the_other_indifferent() -> None:
    rows, columns = mixtures(np.array([[1.0, 0.0], [0.0, 0.3]]))
    assert rows == pytest.approx([3 / 13, 10 / 13], abs=0.01)
    assert columns == pytest.approx([3 / 13, 10 / 13], abs=0.01)


def test_all_three_of_roshambo_are_played_alike_and_a_dominated_move_never() -> None:
    dominated = np.vstack((ROSHAMBO, ROSHAMBO[0] - 0.3))
    rows, columns = mixtures(dominated)
    assert rows == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.02)
    assert rows[3] == 0
    assert columns == pytest.approx([1 / 3] * 3, abs=0.02)


@pytest.mark.parametrize("seed", range(10))
def test_the_mixtures_of_random_games_can_hardly_be_exploited(seed: int) -> None:
    matrix = np.random.default_rng(seed).random((2 + seed, 12 - seed))
    rows, columns = (np.array(own) for own in mixtures(matrix))
    assert (matrix @ columns).max() - (rows @ matrix).min() < 0.02


def test_compiled_and_plain_regret_matching_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [np.zeros(3) for _ in range(4)]
    match_regrets(ROSHAMBO - 0.1, found[0], found[1], 50)
    monkeypatch.setattr(equilibrium, "_respond", equilibrium._respond.py_func)
    match_regrets.py_func(ROSHAMBO - 0.1, found[2], found[3], 50)
    assert np.allclose(found[0], found[2])
    assert np.allclose(found[1], found[3])


def _statistics(roles: int, mean: float) -> Statistics:
    moves = JointMoves(JOINT, ((None, None),) * roles, tuple(range(roles)), -1)  # type: ignore[arg-type]  # terms are not read
    return Statistics(100, 100 * mean, None, moves, (MoveStatistics([60, 40], [mean, mean], []),) * roles)


@pytest.mark.parametrize(("roles", "mean"), [(2, 0.3), (3, 0.5)], ids=["common goal", "three roles"])
def test_where_one_gain_is_not_the_other_loss_moves_are_mixed_by_visits(roles: int, mean: float) -> None:
    for found in likely(_statistics(roles, mean), 0, SearchOptions(equilibrium=True)):
        assert found == [0.6, 0.4]


def test_the_column_player_mixes_for_itself() -> None:
    game = Matrix({("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (30, 70)})
    search = thought(game, 1, simulations=3_000)
    found = likely(search._mcts.tree.root.statistics(1), 1, SearchOptions(equilibrium=True))
    assert found[1] == pytest.approx([3 / 13, 10 / 13], abs=0.05)
