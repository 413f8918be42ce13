"""Faults found in a rulesheet: where, which rule of the language, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: 1-based line and column, and its length in characters (on that line)."""

    line: int
    column: int
    length: int = 1


class Severity(StrEnum):
    """An error has no meaning and stops the match; a warning is odd and plays."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault.

    `code` is the name of the broken rule, a row of the table in docs/diagnostics.md (``unsafe-variable``);
    `message` says what is wrong there; `fix` says how to mend it.
    """

    severity: Severity
    code: str
    message: str
    fix: str
    span: Span | None = None
