"""Check of comparisons whose result does not depend on the values of variables."""

from __future__ import annotations

from reasoner.language.comments import HOW_TO_COMMENT
from reasoner.language.report import FaultReport
from reasoner.language.unify import unify
from reasoner.rules.formulas import Disequality, Equality, leaves
from reasoner.rules.sheet import Sheet


def check_comparisons(sheet: Sheet, report: FaultReport) -> None:
    """Check that no `distinct` compares a term with itself, or with a term that always differs from it."""
    for statement in sheet.statements:
        for leaf in leaves(statement.body):
            if isinstance(leaf, Disequality | Equality):
                _check(leaf, report)


def _check(comparison: Disequality | Equality, report: FaultReport) -> None:
    left, right = comparison.left, comparison.right
    if left == right:
        message, fix = f"both terms are {left}: they are never distinct", "Compare two different terms."
    elif unify([(left, right)]) is None:
        message = f"{left} and {right} are always distinct"
        fix = "Begin a variable with a capital letter." if report.source.infix else "Write a `?` before a variable."
        fix = f"{fix} {HOW_TO_COMMENT}" if report.source.infix else fix
    else:
        return
    report.warn("fixed-comparison", message, fix, comparison.source)
