"""Statements as written: heads and bodies with nested ``or``, ``and`` and ``not``; every part has its source.

In *negation normal form* (`normal`) a `Negation` contains only a `Sentence`, and an `Equality` is a negated
``distinct``. `bound` finds the variables that a conjunction binds, the core of the safety check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reasoner.language.expressions import Expression
from reasoner.language.literals import Atom
from reasoner.language.terms import Term, Variable, variables
from reasoner.language.unify import unify


@dataclass(frozen=True, slots=True)
class Sentence:
    """A relation applied to terms, with its source expression."""

    atom: Atom
    source: Expression


@dataclass(frozen=True, slots=True)
class Negation:
    """``(not part)``."""

    part: Formula
    source: Expression


@dataclass(frozen=True, slots=True)
class Disjunction:
    """``(or parts…)``; false when there are none."""

    parts: tuple[Formula, ...]
    source: Expression


@dataclass(frozen=True, slots=True)
class Conjunction:
    """``(and parts…)``; true when there are none."""

    parts: tuple[Formula, ...]
    source: Expression


@dataclass(frozen=True, slots=True)
class Disequality:
    """``(distinct left right)``."""

    left: Term
    right: Term
    source: Expression


@dataclass(frozen=True, slots=True)
class Equality:
    """``(not (distinct left right))``: the two terms are equal."""

    left: Term
    right: Term
    source: Expression


Formula = Sentence | Negation | Disjunction | Conjunction | Disequality | Equality


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact (no body) or a rule; `arrow` says whether it was written with ``<=``."""

    head: Sentence
    body: tuple[Formula, ...]
    source: Expression
    arrow: bool


Leaf = Sentence | Negation | Disequality | Equality


def leaves(parts: Iterable[Formula]) -> Iterator[Leaf]:
    """Return the parts of a body in negation normal form without its connectives, in order."""
    for part in parts:
        if isinstance(part, Disjunction | Conjunction):
            yield from leaves(part.parts)
        else:
            yield part


def normal(formula: Formula) -> Formula:
    """`formula` in negation normal form."""
    match formula:
        case Negation(part):
            return _negated(part, formula)
        case Disjunction(parts, source):
            return Disjunction(tuple(map(normal, parts)), source)
        case Conjunction(parts, source):
            return Conjunction(tuple(map(normal, parts)), source)
        case _:
            return formula


def _negated(formula: Formula, negation: Negation) -> Formula:
    """Return the negation normal form of ``(not formula)``; for a sentence, this is `negation` itself."""
    match formula:
        case Sentence():
            return negation if negation.part is formula else Negation(formula, formula.source)
        case Negation(part):
            return normal(part)
        case Disjunction(parts, source):
            return Conjunction(tuple(_negated(part, negation) for part in parts), source)
        case Conjunction(parts, source):
            return Disjunction(tuple(_negated(part, negation) for part in parts), source)
        case Disequality(left, right, source):
            return Equality(left, right, source)
        case Equality(left, right, source):
            return Disequality(left, right, source)


def bound(parts: Sequence[Formula], known: Iterable[Variable] = ()) -> set[Variable]:
    """Return the variables that the conjunction of `parts` binds, if the variables `known` are bound.

    A positive sentence binds its variables. An ``or`` binds the variables that all its parts bind. An equality binds
    the variables of one side if the other side is bound. The parts must be in negation normal form.
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
    if bindings is None:  # the equality is always false, so no value is missing
        return {*variables(part.left), *variables(part.right)}
    found: set[Variable] = set()
    for variable, term in bindings.items():
        inside = set(variables(term))
        if inside <= known:
            found.add(variable)
        if variable in known:
            found |= inside
    return found


def unsafe(statement: Statement) -> Iterator[tuple[Variable, str, Expression]]:
    """Yield each variable of a rule that must be bound and is not: with the kind and the source of its place."""
    known = bound(statement.body)
    for variable in dict.fromkeys(statement.head.atom.variables()):
        if variable not in known:
            yield variable, "the head", statement.head.source
    yield from _unsafe_in(statement.body, known)


def _unsafe_in(parts: Iterable[Formula], known: set[Variable]) -> Iterator[tuple[Variable, str, Expression]]:
    for part in parts:
        if isinstance(part, Negation | Disequality | Equality):
            place = "a `not`" if isinstance(part, Negation) else "a `distinct`"
            yield from ((variable, place, part.source) for variable in occurring(part) if variable not in known)
        elif isinstance(part, Conjunction):
            yield from _unsafe_in(part.parts, bound(part.parts, known))
        elif isinstance(part, Disjunction):
            for choice in part.parts:
                yield from _unsafe_in([choice], bound([choice], known))


def occurring(formula: Formula) -> list[Variable]:
    """The variables of `formula`, each once, in order of first occurrence."""
    found: dict[Variable, None] = {}
    for leaf in leaves([formula]):
        match leaf:
            case Sentence(atom) | Negation(Sentence(atom)):
                found.update(dict.fromkeys(atom.variables()))
            case Disequality(left, right) | Equality(left, right):
                found.update(dict.fromkeys((*variables(left), *variables(right))))
    return list(found)
