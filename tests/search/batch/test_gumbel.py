"""Gumbel search at the root: moves halved in turns, a policy that is better than what it began with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.batch import Batch
from search.batch import BatchOptions, BatchSearch
from search.batch.gumbel import visits_in_turn
from tests.machines import built

GAMES = Path(__file__).resolve().parents[3] / "games"


@given(st.integers(1, 40), st.integers(1, 200))
def test_every_turn_is_that_of_some_move_and_moves_left_have_equal_visits(considered, simulations):
    visits = Counter(dict.fromkeys(range(considered), 0))
    for want in visits_in_turn(considered, simulations):
        move = next(move for move, seen in visits.items() if seen == want)
        visits[move] += 1
    assert sum(visits.values()) == simulations


def test_sixteen_moves_are_halved_to_eight_four_and_two():
    assert visits_in_turn(16, 32) == [0] * 16 + [1] * 8 + [2] * 4 + [3] * 4


def position(machine):
    """A position of Tic-Tac-Toe where a move of the first role wins at once."""
    cells = zip((f"(cell {row} {column} " for row in (1, 2, 3) for column in (1, 2, 3)), "xxbboobbb", strict=True)
    wanted = {f"{cell}{mark})" for cell, mark in cells}
    batch = Batch(machine, 512, seed=1)
    for _ in range(200):
        for facts, legal in zip(batch.observation, batch.legal[0], strict=True):
            held = {str(fact) for fact, bit in zip(batch.facts, facts, strict=True) if bit}
            if wanted <= held and legal.sum() > 1:
                return machine.state([fact for fact, bit in zip(batch.facts, facts, strict=True) if bit])
        batch.step(np.full((512, 2), -1))
    raise AssertionError("random play did not come by")


@pytest.mark.long  # the kernels compile for a quarter of a minute
def test_the_improved_policy_prefers_the_move_that_wins():
    machine = built(GAMES / "ticTacToe.kif")

    def flat(batch):
        return [np.ones(legal.shape, np.float32) for legal in batch.legal], np.full((batch.games, 2), 0.5, np.float32)

    options = BatchOptions(simulations=16, considered=16, seed=1)
    found = BatchSearch(machine, 64, options, flat).search([position(machine)] * 64)
    wins = [str(move) for move in Batch(machine, 1).moves[0]].index("(mark 1 3)")
    assert (found.chosen[0] == wins).mean() > 0.95
    assert (found.improved[0].argmax(axis=1) == wins).all()
    assert np.allclose(found.improved[0].sum(axis=1), 1, atol=1e-4)


@pytest.mark.long  # the kernels compile for a quarter of a minute
@pytest.mark.parametrize("name", ["trio", "goofspiel", "diceRace", "hanoi"])
def test_games_of_all_kinds_are_searched_so(name):
    machine = built(GAMES / f"{name}.kif")
    batch = Batch(machine, 30, seed=1)

    def flat(shown):
        values = np.full((shown.games, len(machine.roles)), 0.5, np.float32)
        return [np.ones(legal.shape, np.float32) for legal in shown.legal], values

    found = BatchSearch(machine, 30, BatchOptions(simulations=20, considered=8), flat).search(batch.states)
    for role, legal in enumerate(batch.legal):
        assert (found.visits[role].sum(axis=1) == 20).all()
        assert not found.improved[role][~legal].any()
        assert legal[np.arange(30), found.chosen[role]].all()
