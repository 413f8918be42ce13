"""Counting the positions of chess, which needs every rule of it to be right."""

from itertools import product
from math import prod

from reasoner import load
from reasoner.compilation import BuildLimits
from tests.shared import SHARED, needs_shared


@needs_shared
def test_chess_has_as_many_lines_of_three_moves_as_everybody_counts():
    machine = load(SHARED / "games" / "chess.kif", "circuit", BuildLimits(seconds=600))
    assert [perft(machine, machine.initial(), depth) for depth in (1, 2, 3)] == [20, 400, 8902]


def perft(machine, state, depth):
    """The lines of so many joint moves."""
    legal = machine.legal(state)
    if depth == 1:
        return prod(map(len, legal))
    return sum(perft(machine, machine.next(state, joint), depth - 1) for joint in product(*legal))
