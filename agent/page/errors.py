"""What the page refuses, below `agent.errors.AgentError`.

PageError
├── RulesFaultError  a rulesheet has faults, which the error carries
├── BusyError        all places of the agent are taken, as far as the game needs them
└── RefereeError     the rules cannot be evaluated, or their process is gone
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.errors import AgentError
from agent.worker.messages import Fault


class PageError(AgentError):
    """A request of the page that cannot be granted; its text is for the person in front of it."""


class RulesFaultError(PageError):
    """The rules have errors. `faults` are diagnostics as JSON."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults
        super().__init__("the rules are in error")


class BusyError(PageError):
    """The agent plays elsewhere, and nobody has said that random moves will do."""


class RefereeError(PageError):
    """The rules cannot be evaluated within the limits."""
