"""Captures are moves after which another role has a piece less; they are preferred where who captures wins."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.lanes.choice_plan import choices_of
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.tactics.captures import captures
from reasoner.lanes.tactics.piece_ownership import NOBODY, piece_owners
from tests.machines import built
from tests.reasoner.lanes.tactics.test_preferred_moves import drawn_moves, winning_moves
from tests.shared import SHARED, needs_shared

GAMES = Path(__file__).parents[4] / "games"


class Board:
    """A game, and what each move captures."""

    def __init__(self, path):
        self.machine = built(path)
        circuit = self.circuit = self.machine.circuit
        choices = choices_of(circuit)
        graph = lane_graph(circuit, decisive=False)
        self.owner = piece_owners(graph, choices).owner
        self.taken = captures(circuit, choices, graph)
        edges = pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist())
        self.number = [dict(zip(own, range(*its), strict=True)) for own, its in zip(circuit.moves, edges, strict=True)]

    def captures(self, state, role, move):
        held = set(self.machine.facts(state))
        return any(self.circuit.bases[base] in held for base in self.taken[self.number[role][move]])

    def loses_a_piece(self, state, joint, role, named):
        """By playing: whether another role has fewer pieces after the joint move.  # named: role of a fact, or None."""
        before, after = (
            sum(named(str(fact)) not in (None, role) for fact in self.machine.facts(its))
            for its in (state, self.machine.next(state, joint))
        )
        return after < before


def colour(fact):
    """The role that owns the piece named in a fact; None if the fact names no piece."""
    if "control" in fact:
        return None
    return 0 if "white" in fact.lower() else 1 if "black" in fact.lower() else None


def positions(machine, seed, most=60):
    """States of random play in which one role has a choice, and a joint move."""
    random, state = Random(seed), machine.initial()
    while not machine.terminal(state) and most:
        legal = machine.legal(state)
        joint = [random.choice(own) for own in legal]
        choosing = [role for role, own in enumerate(legal) if len(own) > 1]
        if len(choosing) == 1:
            yield state, choosing[0], joint
        state, most = machine.next(state, joint), most - 1


@pytest.fixture(scope="module")
def breakthrough():
    return Board(GAMES / "breakthrough.kif")


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_move_captures_exactly_where_the_rival_has_a_piece_less_after_it(breakthrough, seed):
    for state, role, joint in positions(breakthrough.machine, seed):
        for move in breakthrough.machine.legal(state)[role]:
            joint[role] = move
            captured = breakthrough.captures(state, role, move)
            assert captured == breakthrough.loses_a_piece(state, joint, role, colour)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_lanes_capture_where_they_can_and_nobody_wins_or_threatens(breakthrough, seed):
    machine = breakthrough.machine
    assert machine.program.captures
    for state, role, _ in positions(machine, seed):
        legal = machine.legal(state)[role]
        taking = {move for move in legal if breakthrough.captures(state, role, move)}
        near = "2 black)" if role == 0 else "5 white)"  # a step before the far row
        threatened = any(near in str(fact) for fact in machine.facts(state))
        if threatened or set(winning_moves(machine, state, role, [100, 100])):
            continue
        counts, _ = drawn_moves(machine, state)
        assert {move for move, count in counts[role].items() if count} == (taking or set(legal))


def test_pieces_belong_to_who_moves_them_and_whose_turn_it_is_to_who_moves(breakthrough):
    for base, owner in zip(breakthrough.circuit.bases, breakthrough.owner.tolist(), strict=True):
        if colour(str(base)) is not None:
            assert owner in (colour(str(base)), NOBODY)  # nobody moves a piece that has arrived
        if str(base).endswith(" b)"):
            assert owner == NOBODY


def test_where_stones_lie_still_nothing_is_captured():
    for name in ("connectFour", "ticTacToe", "reversi"):
        board = Board(GAMES / f"{name}.kif")
        assert not board.taken
        assert not board.machine.program.captures


@pytest.mark.long  # larger games
@needs_shared
@pytest.mark.parametrize("name", ["knightThrough", "skirmish"])
def test_shared_games_of_pieces_agree(name):
    board = Board(SHARED / "games" / f"{name}.kif")
    assert board.machine.program.captures
    losses = missed = 0
    for state, role, joint in positions(board.machine, 3):
        for move in board.machine.legal(state)[role]:
            joint[role] = move
            capture = board.loses_a_piece(state, joint, role, colour)
            assert capture or not board.captures(state, role, move)
            losses += capture
            missed += capture and not board.captures(state, role, move)
    assert missed <= losses / 10  # moves that no sampled game had


@pytest.mark.long  # larger games
@needs_shared
def test_what_is_jumped_over_is_captured():
    board = Board(SHARED / "games" / "checkers.kif")
    assert board.machine.program.captures
    jump = next(move for move in board.number[0] if str(move) == "(move wp a 2 c 4)")
    assert "(cell b 3 bk)" in {str(board.circuit.bases[base]) for base in board.taken[board.number[0][jump]]}
    step = next(move for move in board.number[0] if str(move) == "(move wp c 4 b 5)")
    assert not board.taken[board.number[0][step]]


@pytest.mark.long  # larger games
@needs_shared
@pytest.mark.parametrize("name", ["breakthroughSuicideSmall", "escortLatch"])
def test_captures_that_do_not_help_are_not_preferred(name):
    assert not load(SHARED / "games" / f"{name}.kif", engine="circuit").program.captures
