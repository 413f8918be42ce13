"""What the reasoner raises.

ReasonerError
├── RulesError        the rulesheet is in error; carries every located diagnostic
├── TermError         a fact, move or query that is not well-formed text
├── StateError        a state or query that this game cannot have
├── IllegalMoveError  a joint move with a move its role does not have
└── LimitError        a build or an evaluation went past its limit of time, memory or size
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.diagnostics import Diagnostic, Severity


class ReasonerError(Exception):
    """The root of the tree; its text is one clear message for a person."""


class RulesError(ReasonerError):
    """The rulesheet is in error. `diagnostics` holds all that was found, warnings too."""

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
    """Text that should be one term, a move or a conjunction, and is not."""


class StateError(ReasonerError):
    """A state or a query that has no meaning in this game."""


class IllegalMoveError(ReasonerError):
    """A joint move with a wrong number of moves, or a move its role does not have here."""


class LimitError(ReasonerError):
    """A limit was reached. `limit` names it: ``time``, ``memory``, ``rules``, ``gates``, ``facts``.

    ``crash`` is a process lost, ``process`` one that the system did not grant.
    """

    def __init__(self, message: str, limit: str) -> None:
        self.limit = limit
        super().__init__(message)
