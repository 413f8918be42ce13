"""Exceptions of the reasoner.

ReasonerError
├── RulesError        the rulesheet is in error; has every located diagnostic
├── TermError         a fact, move or query that is not well-formed text
├── StateError        a state or query that is impossible in this game
├── IllegalMoveError  a joint move that contains an illegal move
└── LimitError        a build or an evaluation exceeded its limit of time, memory or size
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.diagnostics import Diagnostic, Severity


class ReasonerError(Exception):
    """Base class; its text is one clear message for a person."""


class RulesError(ReasonerError):
    """The rulesheet is in error. `diagnostics` holds all findings, including warnings."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self._summary())

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
    """A limit was reached. `limit` names it: ``time``, ``memory``, ``rules``, ``gates``, ``facts``.

    ``crash`` means that the process was lost, ``process`` that the system did not grant one.
    """

    def __init__(self, message: str, limit: str) -> None:
        self.limit = limit
        super().__init__(message)
