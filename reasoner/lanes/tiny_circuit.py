"""A circuit written by hand, of the smallest game for two roles, for use before any circuit can be built.

On a first start the kernels of the build take a minute to compile; the kernels of play and search compile meanwhile,
with this circuit.
"""

from __future__ import annotations

import numpy as np

from reasoner.circuit.circuit import Circuit
from reasoner.ground.terms import GroundTerms, TermTable
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from reasoner.language.terms import Constant
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

RULES = """
(role r) (role s) (legal r press) (legal r wait) (legal s noop)
(<= (next on) (does r press) (not (true on)))
(<= terminal (true on))
(<= (goal r 100) (true on)) (<= (goal r 0) (not (true on)))
(<= (goal s 0) (true on)) (<= (goal s 100) (not (true on)))
"""
NAMES = ("on", "press", "wait", "noop")
"""The names of the base and of the moves, in the order of their nodes, 1 to 4. Node 5 is the only gate."""
ON, PRESS, TURNED_ON = 2, 4, 10
"""Literals."""


def machine_by_hand(emitter: str | None) -> CircuitMachine:
    """The machine of this game, compiled to baseline code, which needs fewer kernels. `emitter`: see `BuildLimits`."""
    return CircuitMachine(schedule(_circuit(), emitter, baseline=True), RelationalMachine(read_program(RULES)[0]))


def _circuit() -> Circuit:
    table = TermTable(NAMES, (), _ints(0, 1, 2, 3), _ints(0, 0, 0, 0, 0), _ints())
    return Circuit(
        roles=(Constant("r"), Constant("s")),
        bases=GroundTerms(table, _ints(0)),
        searched=1,
        always=GroundTerms(table, _ints()),
        never=GroundTerms(table, _ints()),
        initial=np.zeros(1, np.bool_),
        moves=(GroundTerms(table, _ints(1, 2)), GroundTerms(table, _ints(3))),
        legal=_ints(1, 1, 1),
        next=_ints(TURNED_ON),
        terminal=ON,
        goals=np.array([[0, 0, ON ^ 1], [0, 100, ON], [1, 0, ON], [1, 100, ON ^ 1]], np.int32),
        left=_ints(ON ^ 1),
        right=_ints(PRESS),
        stages=(0, 0, 1, 1),
    )


def _ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, np.int32)
