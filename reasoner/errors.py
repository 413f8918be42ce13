"""Exceptions of the reasoner.

ReasonerError
├── RulesError        the rulesheet is invalid; has all located diagnostics
├── TermError         a fact, move or query that is not well-formed text
├── StateError        a state or query that is impossible in this game
├── IllegalMoveError  a joint move that contains an illegal move
└── LimitError        a build or an evaluation exceeded its limit of time, memory or size
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.diagnostics import Diagnostic, Severity


class ReasonerError(Exception):
    """Base class; its text is one clear message for the user."""


class RulesError(ReasonerError):
    """The rulesheet is invalid. `diagnostics` contains all findings, including warnings."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self._summary())

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...]]]:
        """Rebuild from the diagnostics: pickle would pass the text, and `multiprocessing.Pool` waits forever then."""
        return type(self), (self.diagnostics,)

    def _summary(self) -> str:
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        lines = []
        for fault in errors:
            where = f"line {fault.span.line}, column {fault.span.column}: " if fault.span else ""
            lines.append(f"{where}{fault.message} [{fault.code}] {fault.fix}")
        return "\n".join(lines)


class TermError(ReasonerError):
    """Text that is not a well-formed term, move or conjunction."""


class StateError(ReasonerError):
    """A state or a query that has no meaning in this game."""


class IllegalMoveError(ReasonerError):
    """A joint move with the wrong number of moves, or with a move that is illegal for its role."""


class LimitError(ReasonerError):
    """A limit was exceeded. `limit` is its name: ``time``, ``memory``, ``rules``, ``gates``, ``facts``.

    ``depth`` and ``size`` are the limits of a term that the rules build. ``crash`` means that the build process ended
    early, ``process`` that the system could not start a process.
    """

    def __init__(self, message: str, limit: str) -> None:
        self.limit = limit
        super().__init__(message)

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, str]]:
        """Rebuild from both arguments: pickle would pass the text alone."""
        return type(self), (str(self), self.limit)

    @property
    def of_terms(self) -> bool:
        """Whether the rules build a term that is too deep or too large."""
        return self.limit in ("depth", "size")
