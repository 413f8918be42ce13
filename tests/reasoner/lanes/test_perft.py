"""Counting the positions of chess, which needs every rule of it to be right."""

from collections import Counter
from itertools import islice, product
from math import prod
from random import Random

import numpy as np
import pytest

from reasoner import load
from reasoner.batch import STAY, Batch
from reasoner.compilation import BuildLimits
from tests.shared import SHARED, needs_shared

pytestmark = pytest.mark.long  # chess, some moves deep

CHESS = SHARED / "games" / "chess.kif" if SHARED is not None else None
APART, POSITIONS = 8, 5
"""Moves of random play between the positions that both engines count, and how many of these there are."""


@pytest.fixture(scope="module")
def chess():
    return load(CHESS, "circuit", BuildLimits(seconds=600))


@needs_shared
def test_chess_has_as_many_lines_of_four_moves_as_everybody_counts(chess):
    batch = Batch(chess, 512, again=False)
    assert [counted(batch, chess.initial(), depth) for depth in (1, 2, 3, 4)] == [20, 400, 8902, 197281]


@needs_shared
def test_five_other_positions_have_as_many_lines_as_the_relational_engine_counts(chess):
    relational, batch, random = load(CHESS, "relational"), Batch(chess, 512, again=False), Random(1)
    state = relational.initial()
    for _ in range(POSITIONS):
        for _ in range(APART):
            state = relational.next(state, [random.choice(sorted(own, key=str)) for own in relational.legal(state)])
        given = chess.state([str(fact) for fact in relational.facts(state)])
        found = [counted(batch, given, depth) for depth in (1, 2)]
        assert found == [perft(relational, state, depth) for depth in (1, 2)]


def perft(machine, state, depth):
    """The lines of so many joint moves."""
    if machine.terminal(state):
        return 0
    legal = machine.legal(state)
    if depth == 1:
        return prod(map(len, legal))
    return sum(perft(machine, machine.next(state, joint), depth - 1) for joint in product(*legal))


def counted(batch, state, depth):
    """The same, level by level, with as many states at once as the batch has games, each state once."""
    level = Counter({state: 1})
    for _ in range(depth - 1):
        level = successors(batch, level)
    return sum(times * prod(map(len, legal)) for _, times, legal in looked_at(batch, level))


def batched(rows, size):
    """The rows, so many at a time."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some


def looked_at(batch, level):
    """Each state that is not over, how many lines lead to it, and each role's legal moves by their places."""
    for some in batched(level.items(), batch.games):
        batch.put([state for state, _ in some], np.arange(len(some)))
        over, legal = batch.terminal.tolist(), batch.legal
        for game, (state, times) in enumerate(some):
            if not over[game]:
                yield state, times, [np.flatnonzero(own[game]).tolist() for own in legal]


def successors(batch, level):
    """The states after one joint move more, and how many lines lead to each."""
    pairs = [(state, times, joint) for state, times, legal in looked_at(batch, level) for joint in product(*legal)]
    after = Counter()
    for some in batched(pairs, batch.games):
        batch.put([state for state, _, _ in some], np.arange(len(some)))
        actions = np.full((batch.games, len(batch.roles)), STAY)
        actions[: len(some)] = [joint for _, _, joint in some]
        batch.step(actions)
        for row, (_, times, _) in zip(batch.states, some, strict=False):
            after[row.tobytes()] += times
    return after
