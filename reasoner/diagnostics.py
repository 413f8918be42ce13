"""Diagnostics of a rulesheet: location, code and message of a fault, and how to fix it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

LINE_END = re.compile(r"\r\n|\r|\n")
"""A line end in a rulesheet."""

_WIDTH = 100  # characters of the source line shown around a fault
_LONG_WORD = re.compile(r"(\S{100})\S{100,}")  # a message shows the beginning


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text on one line: line and column from 1, and length in characters."""

    line: int
    column: int
    length: int = 1


class Severity(StrEnum):
    """The severity of a fault: after an error the rules cannot be played, after a warning they can."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault.

    `code` is the name of the fault, for example ``unsafe-variable``; `message` describes the fault; `fix` says how to
    correct it.
    """

    severity: Severity
    code: str
    message: str
    fix: str
    span: Span | None = None

    def __post_init__(self) -> None:
        """Shorten long words of the rules in the texts."""
        for name in ("message", "fix"):
            object.__setattr__(self, name, _LONG_WORD.sub(r"\1…", getattr(self, name)))


def render(diagnostic: Diagnostic, text: str, filename: str) -> str:
    """Return the diagnostic as text: location, message, the source line with carets under the fault, and the fix.

    `text` is the whole rulesheet. A long source line is cut to the part near the fault.
    """
    span = diagnostic.span
    place = f"{filename}:{span.line}:{span.column}" if span else filename
    lines = [f"{place}: {diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]"]
    if span:
        number = str(span.line)
        shown, caret = _excerpt(_line(text, span.line), span)
        lines += [f" {number} | {shown}", f" {' ' * len(number)} | {caret}"]
    return "\n".join([*lines, f"   fix: {diagnostic.fix}"])


def as_json(diagnostic: Diagnostic, filename: str) -> dict[str, str | int | None]:
    """Return the diagnostic as a JSON object: `file, line, column, length, severity, code, message, fix`.

    A missing location is None.
    """
    span = diagnostic.span
    return {
        "file": filename,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "length": span.length if span else None,
        "severity": str(diagnostic.severity),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "fix": diagnostic.fix,
    }


def _line(text: str, number: int) -> str:
    start = 0
    for _ in range(number - 1):
        ending = LINE_END.search(text, start)
        if ending is None:
            return ""
        start = ending.end()
    ending = LINE_END.search(text, start)
    return text[start : ending.start() if ending else None]


def _excerpt(line: str, span: Span) -> tuple[str, str]:
    """Return the part of `line` around the fault, and the line of carets under it; a tab counts as one column."""
    column = span.column - 1
    start = max(0, min(column - _WIDTH // 2, len(line) - _WIDTH))
    shown = "".join(c if c.isprintable() else " " for c in line[start : start + _WIDTH])
    before, after = "…" if start else "", "…" if start + _WIDTH < len(line) else ""
    length = max(1, min(span.length, start + _WIDTH - column, len(line) - column))
    return f"{before}{shown}{after}", " " * (len(before) + column - start) + "^" * length
