"""Compile all kernels before the first match: none has to wait for it then."""

from __future__ import annotations

from math import inf

import reasoner
from reasoner.build import BuildLimits
from reasoner.build.warm import SMALLEST
from reasoner.lanes.machine import CircuitMachine
from search.clock import MonotonicClock
from search.evaluation.features import propose
from search.evaluation.learn import learn
from search.native.search import NativeSearch
from search.options import SearchOptions

LEARNING = 0.1
"""Seconds to learn an evaluation in."""


def warm_up(emitter: str | None = None) -> None:
    """Compile every kernel of the reasoner and of the search, or load it from numba's cache.

    `emitter` is the one that matches will use, as in `BuildLimits`. Raises ReasonerError where it cannot be had.
    """
    reasoner.warm_up(emitter)
    machine = reasoner.load(SMALLEST, "circuit", BuildLimits(emitter=emitter))
    assert isinstance(machine, CircuitMachine)
    options, clock = SearchOptions(simulations=1, memory_mib=8, cutoff=1), MonotonicClock()
    evaluation = learn(machine, propose(machine.circuit), machine.initial(), 0, clock, clock.now() + LEARNING)
    search = NativeSearch(machine, 0, machine.initial(), options, clock, evaluation)
    search.think(inf)
    search.forget()
