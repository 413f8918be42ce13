"""Check of safety: every variable of a head, a `not` or a `distinct` is bound by a positive literal."""

from __future__ import annotations

from reasoner.language.report import FaultReport
from reasoner.rules.formulas import unsafe
from reasoner.rules.sheet import Sheet, located


def check_safety(sheet: Sheet, report: FaultReport) -> None:
    """Check that every variable that must be bound is bound; the order of literals does not matter."""
    for statement in sheet.statements:
        for variable, place, source in unsafe(statement) if statement.body else ():
            report.error(
                "unsafe-variable",
                f"the variable {variable} of {place} occurs in no positive literal of the body",
                f"Add a literal that gives {variable} its values, such as (role {variable}) for a role;"
                " in an `or`, one in every part.",
                located(str(variable), source),
            )
