"""Check of safety: every variable of a head, a `not` or a `distinct` is bound by a positive literal."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.language.expressions import Expression
from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.formulas import (
    Conjunction,
    Disequality,
    Disjunction,
    Equality,
    Formula,
    Negation,
    Statement,
    bound,
    occurring,
)
from reasoner.rules.sheet import Sheet, located


def check_safety(sheet: Sheet, report: FaultReport) -> None:
    """Check that every variable that must be bound is bound; the order of literals does not matter."""
    for statement in sheet.statements:
        if statement.body:
            _check_statement(statement, report)


def _check_statement(statement: Statement, report: FaultReport) -> None:
    known = bound(statement.body)
    _require(statement.head.atom.variables(), known, "the head", statement.head.source, report)
    _check_parts(statement.body, known, report)


def _check_parts(parts: Iterable[Formula], known: set[Variable], report: FaultReport) -> None:
    for part in parts:
        if isinstance(part, Negation):
            _require(occurring(part), known, "a `not`", part.source, report)
        elif isinstance(part, Disequality | Equality):
            _require(occurring(part), known, "a `distinct`", part.source, report)
        elif isinstance(part, Conjunction):
            _check_parts(part.parts, bound(part.parts, known), report)
        elif isinstance(part, Disjunction):
            for choice in part.parts:
                _check_parts([choice], bound([choice], known), report)


def _require(
    needed: Iterable[Variable], known: set[Variable], place: str, source: Expression, report: FaultReport
) -> None:
    for variable in dict.fromkeys(needed):
        if variable not in known:
            report.error(
                "unsafe-variable",
                f"the variable {variable} of {place} occurs in no positive literal of the body",
                f"Add a literal that gives {variable} its values, such as (role {variable}) for a role;"
                " in an `or`, one in every part.",
                located(str(variable), source),
            )
