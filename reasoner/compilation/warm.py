"""A small game whose build compiles every kernel that builds use."""

from __future__ import annotations

from pathlib import Path

from reasoner.compilation.features import COUNT_LIMITS, CountRequest, build_counts
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.kernels.cache import all_kept, note_all_kept
from reasoner.language.features import read_feature
from reasoner.rules.program import Program
from reasoner.rules.read import read_program

SMALLEST = """
(role r) (role s) (init (at a)) (init (turn r)) (init (count 0))
(<= (next (turn s)) (true (turn r))) (<= (next (turn r)) (true (turn s)))
(<= (next (at ?y)) (does ?r (go ?y))) (<= (next p) (does r (go a)))
(next-number 0 1) (next-number 1 2) (<= (next (count ?n)) (true (count ?m)) (next-number ?m ?n))
(place a) (place b) (place c) (place d)
(<= (legal ?r (go ?x)) (true (turn ?r)) (place ?x) (not (true (at ?x))))
(<= (legal r noop) (true (turn s))) (<= (legal s noop) (true (turn r)))
(init (has a b)) (<= (legal ?r (use ?x ?y)) (true (turn ?r)) (true (has ?x ?y)))
(<= (next (has ?x ?y)) (true (has ?x ?y)) (does ?r (go ?x))) (<= (next (has ?x c)) (true (has ?x b)) (does ?r (go d)))
(<= (next (left ?x ?r)) (true (at ?x)) (true (turn ?r))) (<= (next (left ?x ?r)) (true (left ?x ?r)))
(<= (near a) (true (at a))) (<= (near a) (near b)) (<= (near b) (near a)) (<= (near b) (true (at b)))
(<= terminal (true p) (near a)) (<= terminal (true (count 2)) (near b))
(<= terminal (true (left ?x ?r)) (true (at ?x)))
(<= (sum a) (true (at a)) (true (turn r))) (<= (sum a) (true (at b)) (true (turn s)))
(<= (sum b) (true (at b)) (true (turn r))) (<= (sum b) (true (at a)) (true (turn s)))
(<= (sums a) (sum a) (true (count 0))) (<= (sums a) (sum b) (true (count 1)))
(<= (sums b) (sum b) (true (count 0))) (<= (sums b) (sum a) (true (count 1)))
(<= (goal ?r 50) (sums a) (true p) (role ?r)) (<= (goal ?r 25) (sums b) (true p) (role ?r))
(<= (goal ?r 100) (near b) (role ?r)) (<= (goal ?r 0) (not (near b)) (role ?r))
"""
"""Rules with turns, choices, negation, recursive atoms and sums of paths, and with exclusive and constant facts."""

JOINT = ("(go b)", "noop")
"""Legal moves in the initial state."""


def smallest() -> Program:
    """Return the program of the game `SMALLEST`."""
    return read_program(SMALLEST)[0]


def warm_up() -> None:
    """Compile every kernel that the build of a first match uses, or load it from numba's cache."""
    build_circuit(smallest(), BuildLimits(), lambda _: None)


def warm_up_rest() -> None:
    """Compile or load the kernels of other builds: for features, and for portable lanes if native lanes are used."""
    built = build_circuit(smallest(), BuildLimits(emitter="portable"), lambda _: None)
    groups = read_feature("(true (at ?x)) (near ?x)", ["?x"]).groups
    wanted = CountRequest(smallest(), built.circuit.bases, built.circuit.always, groups)
    build_counts(wanted, COUNT_LIMITS, lambda _: None)
    note_all_kept(Path(__file__))


def rest_kept() -> bool:
    """Whether an earlier process has compiled the kernels of `warm_up_rest`, so that they only need loading."""
    return all_kept(Path(__file__))
