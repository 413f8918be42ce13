"""Bundled games compiled, and random play on them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from agent.gamemaster.games import bundled, find_game
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from tests.machines import built
from tests.shared import SHARED


def compiled(name: str) -> CircuitMachine:
    """A bundled game, or a shared one where it is at hand."""
    public = "" if SHARED is None or name in bundled() else (SHARED / "games" / f"{name}.kif").read_text()
    return built(public or find_game(name).text)


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
