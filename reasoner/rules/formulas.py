"""Statements as written: heads and bodies with nested ``or``, ``and`` and ``not``, every part located.

In *negation normal form* (`normal`) a `Negation` contains only a `Sentence`, and an `Equality` is a negated
``distinct``.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.language.expressions import Expression
from reasoner.language.literals import Atom
from reasoner.language.terms import Term


@dataclass(frozen=True, slots=True)
class Sentence:
    """A relation applied to terms, with its place."""

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
    """The negation normal form of ``(not formula)``; `negation` is kept around a plain sentence."""
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
