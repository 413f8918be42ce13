"""Connectives without effect."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.language.expressions import spelled
from reasoner.language.report import FaultReport
from reasoner.rules.formulas import Conjunction, Disjunction, Formula
from reasoner.rules.sheet import Sheet

_EMPTY = {"(or": "false", "(and": "true"}


def check_empty(sheet: Sheet, report: FaultReport) -> None:
    """No `or` and no `and` without parts."""
    for statement in sheet.statements:
        _check_parts(statement.body, report)


def _check_parts(parts: Iterable[Formula], report: FaultReport) -> None:
    for part in parts:
        if isinstance(part, Disjunction | Conjunction):
            word = spelled(part.source).lower()
            if not part.parts and word in _EMPTY:
                value = _EMPTY[word]
                report.warn(
                    "empty-connective", f"`{word[1:]}` without parts is always {value}", "Remove it.", part.source
                )
            _check_parts(part.parts, report)
