"""Conversion of a rulesheet to the other notation; names are unchanged or renamed injectively."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reasoner.language.expressions import Expression, Group
from reasoner.language.rename import INFIX, KIF, Names, Renaming
from reasoner.language.survey import named
from reasoner.language.write import pretty
from reasoner.language.write_infix import pretty_infix
from reasoner.rules.read import STANDARD, ReadLimits, statements_of

NOTATIONS = ("kif", "infix")


@dataclass(frozen=True, slots=True)
class Conversion:
    """The new text, which begins with a map of the changed names, and the new spelling of every word."""

    text: str
    names: Names


def convert(text: str, notation: str, limits: ReadLimits = STANDARD) -> Conversion:
    """The rulesheet in `notation`, ``kif`` or ``infix``; comments are lost. Raises RulesError for invalid rules.

    KIF has no operations: they become equivalent plain GDL. Infix keeps operations.
    """
    expressions = tuple(map(_unbodied, statements_of(text, limits, plain=notation == "kif")))
    renaming = Renaming(KIF if notation == "kif" else INFIX)
    renaming.add(expressions)
    written = (pretty if notation == "kif" else pretty_infix)(map(renaming.applied, expressions))
    sign = ";" if notation == "kif" else "%"
    changed = [f"{sign} {old} is {new} here" for old, new in renaming.changed().items()]
    return Conversion("\n".join([*_listed(changed), written, ""]), renaming.map)


def _listed(lines: list[str]) -> Iterable[str]:
    return [*lines, ""] if lines else ()


def _unbodied(expression: Expression) -> Expression:
    """Turn a rule with an empty body into a fact, because infix has no notation for the rule."""
    if named(expression, "<=") and isinstance(expression, Group) and len(expression.items) == 2:
        return expression.items[1]
    return expression
