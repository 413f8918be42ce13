"""Exceptions of tournaments, below `agent.errors.AgentError`.

TournamentError
├── PlanError             the plan file is wrong
└── StoreError            results cannot be stored
    └── OtherResultsError the stored results belong to another plan
"""

from __future__ import annotations

from agent.errors import AgentError


class TournamentError(AgentError):
    """The root of the tree. Its text is one clear message for the user."""


class PlanError(TournamentError):
    """The plan file is wrong. The text names the key and the allowed values."""


class StoreError(TournamentError):
    """Results cannot be stored."""


class OtherResultsError(StoreError):
    """The stored results belong to another plan. The text says in what they differ."""
