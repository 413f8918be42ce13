"""Bundled games compiled, and random play on them."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random

from agent.gamemaster.games import bundled, find_game
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from search.factoring import factor
from search.subgames.other_subgame_states import contexts
from search.subgames.subgame_circuit import SubgameCircuit, play_cone
from tests.clocks import FakeClock
from tests.machines import built
from tests.shared import SHARED


def compiled(name: str) -> CircuitMachine:
    """A bundled game, or a shared one where it is at hand."""
    public = "" if SHARED is None or name in bundled() else (SHARED / "games" / f"{name}.kif").read_text()
    return built(public or find_game(name).text)


def cones(name: str) -> list[SubgameCircuit]:
    """The subgames of a game at its beginning, each by itself."""
    return cones_of(compiled(name))


def cones_of(machine: CircuitMachine) -> list[SubgameCircuit]:
    """The subgames of a compiled game at its beginning."""
    circuit, found, start = machine.circuit, factor(machine.circuit), machine.initial()
    assert isinstance(start, bytes)
    around = contexts(machine, start, 1, FakeClock(), inf)
    return [play_cone(circuit, found, i, circuit.initial, around) for i in range(len(found.subgames))]


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
