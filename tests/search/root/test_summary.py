"""The summary lists the move to play first, and the value under the mixed strategies of all roles."""

from __future__ import annotations

from math import inf

import pytest

from reasoner.language.parse import read_term
from search.root.statistics import JOINT, JointMoves
from search.root.summary import mixed_value
from tests.search.games import Line, Matrix, Nim
from tests.search.helpers import thought
from tests.search.native.rulesheets import PENNIES, machine

MOVES = JointMoves(JOINT, tuple(tuple(map(read_term, own)) for own in (("a", "b"), ("c", "d"))), (0, 1), -1)

PENNIES_PLAIN = {("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (100, 0)}


def test_the_move_that_is_played_is_reported_first_also_where_another_was_looked_at_more_often() -> None:
    rare = 0
    for game in (Nim(1, 2, 3), Nim(3, 4, 5), Line(3, 3, 3), Matrix(PENNIES_PLAIN)):
        for count in range(20, 400, 40):
            search = thought(game, simulations=count, seed=count)
            moves = search.report().moves
            assert moves[0].move == search.best()
            assert [move.visits for move in moves[1:]] == sorted((move.visits for move in moves[1:]), reverse=True)
            rare += moves[0].visits < max(move.visits for move in moves)
    assert rare > 1


@pytest.mark.parametrize("rules", ["nim", "ticTacToe", PENNIES], ids=["nim", "ticTacToe", "pennies"])
def test_the_same_holds_of_the_search_on_circuits(rules: str) -> None:
    for count in (30, 300, 1_000, 3_000):
        for seed in range(4):
            search = thought(machine(rules), simulations=count, seed=seed)
            assert search.report().moves[0].move == search.best()


def test_a_simultaneous_state_is_worth_what_the_mixtures_of_all_roles_make_of_the_joint_moves() -> None:
    joint_stats = {0: (5.0, 5.0), 1: (0.0, 2.0), 2: (0.0, 3.0), 3: (1.0, inf)}  # keys: own move, and twice the other's
    assert mixed_value(MOVES, [[0.75, 0.25], [0.5, 0.5]], joint_stats.__getitem__) == pytest.approx(0.5)
    assert mixed_value(MOVES, [[0.75, 0.25], [0.75, 0.25]], joint_stats.__getitem__) == pytest.approx((9 + 1) / 16)


def test_joint_moves_that_were_never_made_do_not_count() -> None:
    joint_stats = {0: (0.0, 0.0), 1: (0.0, 0.0), 2: (0.8, 2.0), 3: (0.0, 0.0)}
    assert mixed_value(MOVES, [[0.5, 0.5], [0.5, 0.5]], joint_stats.__getitem__) == pytest.approx(0.4)
    assert mixed_value(MOVES, [[1.0, 0.0], [1.0, 0.0]], joint_stats.__getitem__) == 0.0


def test_matching_pennies_are_told_to_be_even_and_a_state_of_one_mover_has_no_mixture() -> None:
    plain = thought(Matrix(PENNIES_PLAIN), simulations=2_000).report()
    native = thought(machine(PENNIES), simulations=5_000).report()
    assert plain.value == plain.mixed == pytest.approx(50, abs=5)
    assert native.value == native.mixed == pytest.approx(50, abs=5)
    turn = thought(Nim(1, 2), simulations=500).report()
    assert (turn.mixed, turn.value) == (-1, turn.moves[0].value)
