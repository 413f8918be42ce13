"""Facts of the state that are lost because their relation has no frame rule.

A frame rule keeps a fact that no move changes: ``(<= (next (cell ?x ?c)) (true (cell ?x ?c)) …)``. Without one, a rule
must make each fact anew in each step, as a clock ``(<= (next (timer ?c ?m)) (true (timer ?c ?n)) (less ?n ?m))`` does.
That something else is meant cannot be proved, so what is found here is a suspicion.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Set
from typing import NamedTuple

from reasoner.errors import LimitError
from reasoner.language.literals import Atom, Relation
from reasoner.language.terms import Compound, Shape, Term, Variable, shape_of
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.strata import static_relations
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
    """Return the functions of facts that a rule for `next` may keep."""
    static, framed = static_relations(machine.program), set[Shape]()
    for rule in machine.program.rules:
        if rule.head.relation == ("next", 1) and isinstance(fact := rule.head.arguments[0], Compound):
            asked = [one.atom for one in rule.literals() if one.positive]
            if any(_keeps(atom, fact) for atom in asked) or _carries_all(asked, fact, static):
                framed.add((fact.functor, len(fact.arguments)))
    return framed


def _keeps(atom: Atom, fact: Compound) -> bool:
    """Whether `atom` is `fact` in the state, or a relation of its arguments in any order."""
    return atom.arguments == (fact,) or (
        atom.relation != ("does", 2) and sorted(map(str, atom.arguments)) == sorted(map(str, fact.arguments))
    )


def _carries_all(asked: list[Atom], fact: Compound, static: Set[Relation]) -> bool:
    """Whether `asked` turns each fact of the function of `fact` into one, as a clock does: nothing selects some."""
    changing = [atom for atom in asked if atom.relation not in static]
    return any(
        all(set(source.variables()).isdisjoint(other.variables()) for other in changing if other is not source)
        for source in changing
        if source.relation == ("true", 1) and _is_any(source.arguments[0], fact)
    )


def _is_any(term: Term, fact: Compound) -> bool:
    """Whether `term` stands for all facts of the function of `fact`."""
    return (
        isinstance(term, Compound)
        and shape_of(term) == shape_of(fact)
        and all(isinstance(argument, Variable) for argument in term.arguments)
    )


def _counts(machine: RelationalMachine, state: State) -> Counter[Shape]:
    return Counter((fact.functor, len(fact.arguments)) for fact in machine.facts(state) if isinstance(fact, Compound))
