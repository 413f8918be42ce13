"""Players that know only the moves and percepts of their role."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine
from search import MonotonicClock, SearchOptions
from search.belief.belief import Belief
from search.belief.state_set import Observation
from search.information.search import InformationSearch
from search.native.search import NativeSearch

Chooser = Callable[[Belief, int], Term]
"""Function that chooses a move from a belief and a seed."""


def informed(simulations: int, *, mixes: bool = False) -> Chooser:
    """Return a player that uses the agent's own search."""

    def choose(belief: Belief, seed: int) -> Term:
        search = InformationSearch(belief, MonotonicClock(), seed, mixes=mixes)
        search.think(math.inf, lambda: search.simulations >= simulations)
        return search.best()

    return choose


def one_state(simulations: int) -> Chooser:
    """Return a player that searches one state drawn from the belief, as if all roles saw this state."""

    def choose(belief: Belief, seed: int) -> Term:
        machine = belief.machine
        assert isinstance(machine, CircuitMachine)
        options = SearchOptions(simulations=simulations, threads=1, memory_mib=64, seed=seed)
        search = NativeSearch(machine, belief.role, belief.drawn(1)[0], options, MonotonicClock())
        search.think(math.inf)
        return search.best()

    return choose


def entropy(simulations: int) -> Chooser:  # noqa: ARG001 the signature of all players
    """Return a player of the most informative move. Ties: the move that ends most games, then the first by text."""

    def choose(belief: Belief, seed: int) -> Term:
        return InformationSearch(belief, MonotonicClock(), seed).most_informative()

    return choose


def anything(simulations: int) -> Chooser:  # noqa: ARG001 the signature of all players
    """Return a player of random legal moves."""
    return lambda belief, seed: Random(seed).choice(sorted(belief.favourites(), key=str))


PLAYERS: dict[str, Callable[[int], Chooser]] = {
    "informed": informed,
    "mixed": partial(informed, mixes=True),
    "one-state": one_state,
    "entropy": entropy,
    "random": anything,
}


class Seat:
    """A role with its belief and its player; a random player keeps no belief beyond its legal moves."""

    def __init__(self, machine: Machine, role: int, name: str, simulations: int, seed: int) -> None:
        self.role = role
        self.belief = Belief(machine, role, seed)
        self.blind = name == "random"
        self._choose = PLAYERS[name](simulations)
        self._seed = seed

    def move(self, legal: tuple[Term, ...]) -> Term:
        """Return the move of this role; `legal` are its truly legal moves."""
        self._seed += 1
        if self.blind:
            return Random(self._seed).choice(legal)
        known = self.belief.favourites()
        return known[0] if len(known) == 1 else self._choose(self.belief, self._seed)

    def observe(self, move: Term, percepts: frozenset[Term]) -> None:
        """Record a joint move."""
        if not self.blind:
            self.belief.observe(Observation(move, percepts))
