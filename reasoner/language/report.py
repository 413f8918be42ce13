"""Report of the faults in one text, each once, with its location."""

from __future__ import annotations

import re

from reasoner.diagnostics import Diagnostic, Severity, Span
from reasoner.errors import RulesError
from reasoner.language.expressions import Expression, spelled
from reasoner.language.source import Source
from reasoner.language.write_infix import in_infix

MAX_OF_A_KIND = 100
_MADE = re.compile(r"(?<=[(`])(?:do|deleted) (?=\w)")  # how relations of the translation of operations begin


class FaultReport:
    """Collects diagnostics; keeps at most `MAX_OF_A_KIND` of one code, so that reports on garbage stay short."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.operations = False  # whether the rules are a translation of operations
        self._found: dict[Diagnostic, None] = dict.fromkeys(source.remarks)
        self._counts: dict[str, int] = {}

    def error(self, code: str, message: str, fix: str, where: Expression | None = None) -> None:
        """Record a fault that makes the text invalid."""
        self._add(Severity.ERROR, code, message, fix, where)

    def warn(self, code: str, message: str, fix: str, where: Expression | None = None) -> None:
        """Record a fault that does not prevent play."""
        self._add(Severity.WARNING, code, message, fix, where)

    def _add(self, severity: Severity, code: str, message: str, fix: str, where: Expression | None) -> None:
        self.add(Diagnostic(severity, code, self._in_notation(message), self._in_notation(fix), self._span(where)))

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless it is a duplicate or there are too many of its code."""
        count = self._counts.get(diagnostic.code, 0)
        if count < MAX_OF_A_KIND and diagnostic not in self._found:
            self._found[diagnostic] = None
            self._counts[diagnostic.code] = count + 1

    def _span(self, where: Expression | None) -> Span | None:
        if where is None:
            return None
        word = self.source.word_at(where.offset) if self.source.infix else spelled(where)
        return self.source.span(where.offset, len(word))

    def _in_notation(self, message: str) -> str:
        """Return a message in the notation of the text; its rules and terms are in KIF."""
        if not self.source.infix:
            return message
        return in_infix(_MADE.sub("", message) if self.operations else message)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics in the order of the text; diagnostics without a location come last."""
        placed = sorted((d for d in self._found if d.span), key=_place)
        return (*placed, *(d for d in self._found if not d.span))

    def has(self, *codes: str) -> bool:
        """Whether a fault with one of these codes was found."""
        return any(code in self._counts for code in codes)

    @property
    def failed(self) -> bool:
        """Whether an error was found."""
        return any(d.severity is Severity.ERROR for d in self._found)

    def raise_errors(self) -> None:
        """Raise RulesError with all diagnostics if any of them is an error."""
        if self.failed:
            raise RulesError(self.diagnostics())


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    return (diagnostic.span.line, diagnostic.span.column) if diagnostic.span else (0, 0)
