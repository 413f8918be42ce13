"""Statements as they are written: heads and bodies with ``or``, ``and`` and ``not`` in each other, every part located.

In *negation normal form* (`normal`) a `Negation` stands only around a `Sentence`, and `Same` for a negated
``distinct``.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.language.expressions import Expression
from reasoner.language.literals import Atom
from reasoner.language.terms import Term


@dataclass(frozen=True, slots=True)
class Sentence:
    """A relation applied to terms, where it stands."""

    atom: Atom
    source: Expression


@dataclass(frozen=True, slots=True)
class Negation:
    """``(not part)``."""

    part: Formula
    source: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """``(or parts…)``; false when there are none."""

    parts: tuple[Formula, ...]
    source: Expression


@dataclass(frozen=True, slots=True)
class Together:
    """``(and parts…)``; true when there are none."""

    parts: tuple[Formula, ...]
    source: Expression


@dataclass(frozen=True, slots=True)
class Differ:
    """``(distinct left right)``."""

    left: Term
    right: Term
    source: Expression


@dataclass(frozen=True, slots=True)
class Same:
    """``(not (distinct left right))``: the two are one term."""

    left: Term
    right: Term
    source: Expression


Formula = Sentence | Negation | Choice | Together | Differ | Same


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
        case Choice(parts, source):
            return Choice(tuple(map(normal, parts)), source)
        case Together(parts, source):
            return Together(tuple(map(normal, parts)), source)
        case _:
            return formula


def _negated(formula: Formula, negation: Negation) -> Formula:
    """The negation normal form of ``(not formula)``; `negation` is what to keep around a plain sentence."""
    match formula:
        case Sentence():
            return negation if negation.part is formula else Negation(formula, formula.source)
        case Negation(part):
            return normal(part)
        case Choice(parts, source):
            return Together(tuple(_negated(part, negation) for part in parts), source)
        case Together(parts, source):
            return Choice(tuple(_negated(part, negation) for part in parts), source)
        case Differ(left, right, source):
            return Same(left, right, source)
        case Same(left, right, source):
            return Differ(left, right, source)
