"""Exceptions of the page, below `agent.errors.AgentError`.

PageError
├── RulesFaultError  a rulesheet has errors, listed in the exception
├── UnknownError     the address of the request does not exist
├── BusyError        the agent has too few free match slots for the game
├── LaterError       the agent has too much to do for the request now
└── RefereeError     the rules cannot be evaluated
    └── ProcessError  the process of the rules could not start, has ended or is too slow
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.errors import AgentError
from agent.worker.worker_messages import Fault


class PageError(AgentError):
    """A request of the page that cannot be granted; the page shows its text to the visitor."""


class RulesFaultError(PageError):
    """The rules have errors. `faults` are diagnostics as JSON."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults
        super().__init__("the rules have errors")


class UnknownError(PageError):
    """The address of the request does not exist."""

    def __init__(self) -> None:
        super().__init__("not found")


class BusyError(PageError):
    """The agent has no free match slot, and the visitor has not accepted random moves."""


class LaterError(PageError):
    """The agent has too much to do for the request now; a later one may be granted."""


class RefereeError(PageError):
    """The rules cannot be evaluated within the limits."""


class ProcessError(RefereeError):
    """The process of the rules could not start, has ended, or does not answer in time; a new one may succeed."""
