"""A rulesheet written in the other notation, its names kept or mapped injectively."""

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
    """The new text, which begins with the map of the names that changed, and how every word is spelled now."""

    text: str
    names: Names


def convert(text: str, notation: str, limits: ReadLimits = STANDARD) -> Conversion:
    """The rulesheet in `notation`, ``kif`` or ``infix``; comments are lost. Raises RulesError where it has no form.

    KIF has no operations, and is written as the plain GDL that they mean; infix keeps them.
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
    """A rule without a body is a fact, which infix can write."""
    if named(expression, "<=") and isinstance(expression, Group) and len(expression.items) == 2:
        return expression.items[1]
    return expression
