"""Bundled games compiled, and random play on them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import reasoner
from agent.gamemaster.games import bundled, find_game
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from tests.shared import SHARED


@cache
def compiled(name: str) -> CircuitMachine:
    """A bundled game, or a shared one where it is at hand."""
    public = "" if SHARED is None or name in bundled() else (SHARED / "games" / f"{name}.kif").read_text()
    machine = reasoner.load(public or find_game(name).text, "circuit")
    assert isinstance(machine, CircuitMachine)
    return machine


def plays(machine: CircuitMachine, seed: int, games: int = 1) -> Iterator[tuple[bytes, list[Term], bytes]]:
    """The steps of random games: a state, the joint move and the next state."""
    random = Random(seed)
    for _ in range(games):
        state = machine.initial()
        while not machine.terminal(state):
            joint = [random.choice(own) for own in machine.legal(state)]
            following = machine.next(state, joint)
            assert isinstance(state, bytes)
            assert isinstance(following, bytes)
            yield state, joint, following
            state = following
