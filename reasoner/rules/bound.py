"""Variables that a conjunction binds: the core of the safety check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reasoner.language.terms import Variable, variables
from reasoner.language.unify import unify
from reasoner.rules.formulas import Conjunction, Disequality, Disjunction, Equality, Formula, Negation, Sentence


def bound(parts: Sequence[Formula], known: Iterable[Variable] = ()) -> set[Variable]:
    """The variables that have a value wherever all of `parts` hold, given those `known` to have one.

    A positive sentence binds its variables; an ``or`` those that all its parts bind; an equality those of one side
    once the other side is bound. Parts in negation normal form.
    """
    found = set(known)
    for part in parts:
        if isinstance(part, Sentence):
            found.update(part.atom.variables())
    waiting = [part for part in parts if isinstance(part, Disjunction | Conjunction | Equality)]
    before = -1
    while len(found) != before:
        before = len(found)
        for part in waiting:
            found |= _bound_by(part, found)
        waiting.reverse()  # equalities often come in a sequence, in either direction
    return found


def _bound_by(part: Formula, known: set[Variable]) -> set[Variable]:
    if isinstance(part, Sentence):
        return set(part.atom.variables())
    if isinstance(part, Conjunction):
        return bound(part.parts, known)
    if isinstance(part, Disjunction) and part.parts:
        return set.intersection(*(bound([choice], known) for choice in part.parts))
    if isinstance(part, Equality):
        return _bound_by_equality(part, known)
    return set()


def _bound_by_equality(part: Equality, known: set[Variable]) -> set[Variable]:
    bindings = unify([(part.left, part.right)])
    if bindings is None:  # never holds, so no value is missing
        return {*variables(part.left), *variables(part.right)}
    found: set[Variable] = set()
    for variable, term in bindings.items():
        inside = set(variables(term))
        if inside <= known:
            found.add(variable)
        if variable in known:
            found |= inside
    return found


def occurring(formula: Formula) -> list[Variable]:
    """The variables of `formula`, each once, in order of first occurrence."""
    return list(dict.fromkeys(_occurrences(formula)))


def _occurrences(formula: Formula) -> Iterable[Variable]:
    match formula:
        case Sentence(atom):
            yield from atom.variables()
        case Negation(part):
            yield from _occurrences(part)
        case Disjunction(parts) | Conjunction(parts):
            for part in parts:
                yield from _occurrences(part)
        case Disequality(left, right) | Equality(left, right):
            yield from variables(left)
            yield from variables(right)
