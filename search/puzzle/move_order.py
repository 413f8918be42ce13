"""An order for a set of moves, looked for in play: each legal when it is made, the game not over before the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State

TRIES = 20
"""Plays that may get stuck before the set is given up."""


def ordered(machine: CircuitMachine, state: State, moves: Sequence[int], last: int) -> Iterator[tuple[int, ...]]:
    """Yields () after each step of the search, and in the end the moves in order with `last` after them, if found."""
    rng = Random(0)
    for _ in range(TRIES):
        made, here, left = list[int](), state, list(moves)
        while left:
            step = _step(machine, here, left)
            if step is None:
                break
            at, here = step
            made.append(left.pop(at))
            yield ()
        if not left:
            yield (*made, last)
            return
        rng.shuffle(left)
        moves = [*left, *made]  # what was in the way of others comes later
        yield ()


def _step(machine: CircuitMachine, state: State, moves: Sequence[int]) -> tuple[int, State] | None:
    """The place of the first move that is legal and does not end the game, and where it leads."""
    terms = machine.circuit.moves[0]
    legal = set(machine.legal(state)[0])
    for at, move in enumerate(moves):
        if terms[move] in legal:
            following = machine.next(state, (terms[move],))
            if not machine.terminal(following):
                return at, following
    return None
