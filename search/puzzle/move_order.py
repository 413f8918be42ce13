"""Order a set of moves by playing them: each is legal when made, and the game is not over before the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State

MAX_PLAYS = 20
"""Maximum number of attempts to play a set of moves."""


def ordered(machine: CircuitMachine, state: State, moves: Sequence[int], last: int) -> Iterator[tuple[int, ...]]:
    """Yield () after each step of the search, then, if an order is found, the moves in this order and `last`."""
    rng = Random(0)
    for _ in range(MAX_PLAYS):
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
        moves = [*left, *made]  # those made may have blocked the moves left
        yield ()


def _step(machine: CircuitMachine, state: State, moves: Sequence[int]) -> tuple[int, State] | None:
    """Return the index of the first move that is legal and does not end the game, and the next state."""
    terms = machine.circuit.moves[0]
    legal = set(machine.legal(state)[0])
    for at, move in enumerate(moves):
        if terms[move] in legal:
            following = machine.next(state, (terms[move],))
            if not machine.terminal(following):
                return at, following
    return None
