"""Facts that `ended_facts` reports for a move are false after it."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.circuit.delete_effects import ended_facts
from reasoner.lanes.alternating_roles import take_turns

GAMES = Path(__file__).parents[3] / "games"


class Ends:
    """A game, and the facts that each move ends, as `ended_facts` reports them."""

    def __init__(self, game):
        self.machine = load(game, engine="circuit")
        circuit = self.circuit = self.machine.circuit
        groups = [{turn.role: turn.idle for turn in group} for group in take_turns(circuit).groups]
        nothing = np.zeros((len(circuit.legal), len(circuit.bases)), np.bool_)
        self.ended = ended_facts(circuit, groups, ~nothing, nothing)
        edges = pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist())
        self.number = [dict(zip(own, range(*its), strict=True)) for own, its in zip(circuit.moves, edges, strict=True)]

    def facts(self, role, move):
        return {self.circuit.bases[base] for base in np.flatnonzero(self.ended[self.number[role][move]])}


@pytest.fixture(scope="module", params=["breakthrough", "checkers", "connectFour", "amazons"])
def ends(request):
    return Ends(GAMES / f"{request.param}.kif")


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_a_move_ends_is_not_true_after_it(ends, seed):
    random, machine = Random(seed), ends.machine
    state, steps = machine.initial(), 60
    while not machine.terminal(state) and steps:
        legal = machine.legal(state)
        joint = [random.choice(own) for own in legal]
        following = machine.next(state, joint)
        for role, own in enumerate(legal):
            if len(own) > 1:
                ended = ends.facts(role, joint[role]) & set(machine.facts(state))
                assert not ended & set(machine.facts(following))
        state, steps = following, steps - 1


def test_a_step_ends_what_stood_where_it_begins_and_where_it_comes():
    ends = Ends(GAMES / "breakthrough.kif")
    move = next(move for move in ends.number[0] if str(move) == "(move 2 2 3 3)")
    its = {str(fact) for fact in ends.facts(0, move)}
    assert {"(cell 2 2 white)", "(cell 3 3 black)", "(cell 3 3 b)"} <= its
    assert "(cell 3 3 white)" not in its
    assert "(cell 4 3 black)" not in its


def test_idle_moves_end_nothing():
    ends = Ends(GAMES / "breakthrough.kif")
    idle = [number for own in ends.number for move, number in own.items() if str(move) == "noop"]
    assert idle
    assert not ends.ended[idle].any()
