"""What a tournament raises, below `agent.errors.AgentError`.

TournamentError
├── PlanError   the file that says what to play is wrong
└── StoreError  results cannot be kept, or belong to another plan
"""

from __future__ import annotations

from agent.errors import AgentError


class TournamentError(AgentError):
    """The root of the tree; its text is one clear message for a person."""


class PlanError(TournamentError):
    """The file that says what to play is wrong. The text names the key and what would be right."""


class StoreError(TournamentError):
    """Results cannot be kept, or those at hand belong to another plan."""
