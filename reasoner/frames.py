"""Facts of the state that are lost because their relation has no frame rule.

A frame rule keeps a fact that no move changes: ``(<= (next (cell ?x ?c)) (true (cell ?x ?c)) …)``. Without one, a rule
must make each fact anew in each step. That this is meant cannot be proved, so what is found here is a suspicion.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import NamedTuple

from reasoner.errors import LimitError
from reasoner.language.terms import Compound, Shape, shape_of
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine
from reasoner.verify import Joint

_MOVES = 6
"""Random joint moves that are tried in the initial state."""
_MIN_ARGUMENTS = 2
"""A fact with fewer is often a marker that ends, such as ``(stage bidding)``."""


class LostFacts(NamedTuple):
    """A function of the state with fewer facts after each tried joint move than before, such as `moves`."""

    shape: Shape
    before: int
    after: int
    moves: Joint


def lost_facts(machine: RelationalMachine, seed: int) -> LostFacts | None:
    """Return a function without a frame rule whose facts become fewer in the first step, whatever is played."""
    with contextlib.suppress(LimitError):
        return _lost_facts(machine, seed)
    return None


def _lost_facts(machine: RelationalMachine, seed: int) -> LostFacts | None:
    state, chance = machine.initial(), random.Random(seed)
    suspects = _made(machine) - _framed(machine)
    if machine.terminal(state) or not suspects:
        return None
    before = _counts(machine, state)
    lost: dict[Shape, LostFacts] = {}
    for _ in range(_MOVES):
        legal = machine.legal(state)
        if not all(legal):
            return None
        joint = tuple(chance.choice(own) for own in legal)
        after = _counts(machine, machine.next(state, joint))
        suspects = {shape for shape in suspects if after[shape] < before[shape]}
        lost |= {shape: LostFacts(shape, before[shape], after[shape], joint) for shape in suspects}
    return lost[min(suspects)] if suspects else None


def _made(machine: RelationalMachine) -> set[Shape]:
    """Return the functions of facts in the heads of `next`; none if a head is a variable."""
    heads = [rule.head.arguments[0] for rule in machine.program.rules if rule.head.relation == ("next", 1)]
    shapes = {shape_of(head) for head in heads}
    return set() if None in shapes else {shape for shape in shapes if shape and shape[1] >= _MIN_ARGUMENTS}


def _framed(machine: RelationalMachine) -> set[Shape]:
    """Return the functions of facts that a rule for `next` may keep, by a `true` or a relation of their arguments."""
    kept = set[Shape]()
    for rule in machine.program.rules:
        if rule.head.relation == ("next", 1) and isinstance(fact := rule.head.arguments[0], Compound):
            keeps = ((fact,), fact.arguments)
            if any(literal.atom.arguments in keeps for literal in rule.literals()):
                kept.add((fact.functor, len(fact.arguments)))
    return kept


def _counts(machine: RelationalMachine, state: State) -> Counter[Shape]:
    return Counter((fact.functor, len(fact.arguments)) for fact in machine.facts(state) if isinstance(fact, Compound))
