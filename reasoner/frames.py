"""Facts of the state that are lost because their relation has no frame rule.

A frame rule keeps a fact that no move changes: ``(<= (next (cell ?x ?c)) (true (cell ?x ?c)) …)``. Without one, a rule
must make each fact anew in each step, as a clock ``(<= (next (timer ?c ?m)) (true (timer ?c ?n)) (less ?n ?m))`` does.
That something else is meant cannot be proved, so what is found here is a suspicion.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Set
from typing import NamedTuple

from reasoner.errors import LimitError
from reasoner.language.literals import Atom, Relation
from reasoner.language.terms import Compound, Shape, Term, Variable, shape_of
from reasoner.language.unify import unify
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.strata import static_relations
from reasoner.verify import Joint

_STEPS = 3
"""First steps of a random game that are looked at: by the third, each of two players has seen the own move kept."""
_MOVES = 6
"""Random joint moves that are tried in each state."""
_MIN_ARGUMENTS = 2
"""A fact with fewer is often a marker that ends, such as ``(stage bidding)``."""

Frames = defaultdict[Shape, list[Compound]]
"""Facts with variables that a rule may keep, by their function."""


class LostFacts(NamedTuple):
    """A function of the state with fewer facts after each tried joint move than before, such as the last of `moves`.

    No rule may keep `fact`, one of those that are gone.
    """

    shape: Shape
    before: int
    after: int
    moves: tuple[Joint, ...]
    fact: Compound


def lost_facts(machine: RelationalMachine, seed: int, stop: Callable[[], bool]) -> LostFacts | None:
    """Return a function without a frame rule whose facts become fewer in the first step, whatever is played.

    After the first step, only a function of which some facts have a frame rule is a suspect, such as the empty cells.
    None is found if `stop` says that the time is over.
    """
    with contextlib.suppress(LimitError):
        return _lost_facts(machine, seed, stop)
    return None


def _lost_facts(machine: RelationalMachine, seed: int, stop: Callable[[], bool]) -> LostFacts | None:
    state, chance, moves = machine.initial(), random.Random(seed), tuple[Joint, ...]()
    frames = _frames(machine)
    suspects = {shape for shape in _made(machine) if not any(_is_any(fact, fact) for fact in frames[shape])}
    for _ in range(_STEPS):
        if not suspects or machine.terminal(state) or not all(legal := machine.legal(state)):
            return None
        lost: dict[Shape, LostFacts] = {}
        found = set(suspects)
        for _ in range(_MOVES):
            if stop():
                return None
            joint = tuple(chance.choice(own) for own in legal)
            after = machine.next(state, joint)
            told = _lost(machine, state, after, frames, (*moves, joint))
            found &= told.keys()
            lost |= told
        if found:
            return lost[min(found)]
        suspects = {shape for shape in suspects if frames[shape]}
        state, moves = after, (*moves, joint)
    return None


def _lost(
    machine: RelationalMachine, state: State, after: State, frames: Frames, moves: tuple[Joint, ...]
) -> dict[Shape, LostFacts]:
    """Return the functions with fewer facts `after` a step that have lost a fact without a frame rule."""
    earlier, later = (_compounds(machine.facts(one)) for one in (state, after))
    before, left = (Counter(map(_shape, facts)) for facts in (earlier, later))
    lost: dict[Shape, LostFacts] = {}
    for fact in sorted(earlier - later, key=str):
        shape = _shape(fact)
        if left[shape] < before[shape] and not _is_kept(fact, frames[shape], later - earlier):
            lost.setdefault(shape, LostFacts(shape, before[shape], left[shape], moves, fact))
    return lost


def _is_kept(fact: Compound, kept: list[Compound], new: Set[Compound]) -> bool:
    """Whether a rule may keep `fact`, or it has moved: a `new` fact equals it where kept facts have a constant."""
    if any(unify([(fact, one)]) is not None for one in kept):
        return True
    telling = {place for one in kept for place, term in enumerate(one.arguments) if not isinstance(term, Variable)}
    alike = (all(one.arguments[place] == fact.arguments[place] for place in telling) for one in _like(fact, new))
    return bool(telling) and any(alike)


def _like(fact: Compound, facts: Set[Compound]) -> list[Compound]:
    return [one for one in facts if _shape(one) == _shape(fact)]


def _made(machine: RelationalMachine) -> set[Shape]:
    """Return the functions of facts in the heads of `next`; none if a head is a variable."""
    heads = [rule.head.arguments[0] for rule in machine.program.rules if rule.head.relation == ("next", 1)]
    shapes = {shape_of(head) for head in heads}
    return set() if None in shapes else {shape for shape in shapes if shape and shape[1] >= _MIN_ARGUMENTS}


def _frames(machine: RelationalMachine) -> Frames:
    """Return the facts that a rule for `next` may keep, with variables, by their function."""
    static, frames = static_relations(machine.program), Frames(list)
    for rule in machine.program.rules:
        if rule.head.relation == ("next", 1) and isinstance(fact := rule.head.arguments[0], Compound):
            asked = [one.atom for one in rule.literals() if one.positive]
            kept = [fact for atom in asked if _keeps(atom, fact)] + _carried(asked, fact, static)
            frames[_shape(fact)] += kept
    return frames


def _keeps(atom: Atom, fact: Compound) -> bool:
    """Whether `atom` is `fact` in the state, or a relation of its arguments in any order."""
    return atom.arguments == (fact,) or (
        atom.relation != ("does", 2) and sorted(map(str, atom.arguments)) == sorted(map(str, fact.arguments))
    )


def _carried(asked: list[Atom], fact: Compound, static: Set[Relation]) -> list[Compound]:
    """Return the facts that `asked` turns into `fact`, if they are all of its function, as a clock does."""
    changing = [atom for atom in asked if atom.relation not in static]
    sources = [source for source in changing if source.relation == ("true", 1)]
    return [
        term
        for source in sources
        if isinstance(term := source.arguments[0], Compound)
        and _is_any(term, fact)
        and all(set(source.variables()).isdisjoint(other.variables()) for other in changing if other is not source)
    ]


def _is_any(term: Compound, fact: Compound) -> bool:
    """Whether `term` stands for all facts of the function of `fact`."""
    return shape_of(term) == shape_of(fact) and all(isinstance(argument, Variable) for argument in term.arguments)


def _compounds(facts: Set[Term]) -> set[Compound]:
    return {fact for fact in facts if isinstance(fact, Compound)}


def _shape(fact: Compound) -> Shape:
    return fact.functor, len(fact.arguments)
