"""A game with a bit of everything, whose build compiles every kernel that builds use."""

from __future__ import annotations

from reasoner.build.limits import BuildLimits
from reasoner.build.stages import build_circuit
from reasoner.rules.program import Program
from reasoner.rules.read import read_program

SMALLEST = """
(role r) (init (at a)) (init (turn r))
(<= (next (at ?y)) (does r (go ?y))) (<= (next p) (does r (go a))) (<= (next (turn r)) (true (turn r)))
(place a) (place b) (place c) (<= (legal r (go ?x)) (place ?x) (not (true (at ?x))))
(<= (near a) (true (at a))) (<= (near a) (near b)) (<= (near b) (near a)) (<= (near b) (true (at b)))
(<= terminal (true p) (near a)) (<= terminal (true (at b)) (near b))
(<= (goal r 100) (near b)) (<= (goal r 0) (not (near b)))
"""
"""Choices, negation, a loop among ground atoms, facts that nothing depends on."""

MOVE = "(go b)"
"""A move that is legal at the beginning."""


def smallest() -> Program:
    """The program of that game."""
    return read_program(SMALLEST)[0]


def warm_up() -> None:
    """Compile every kernel that builds use, or load it from numba's cache."""
    build_circuit(smallest(), BuildLimits(), lambda _: None)
