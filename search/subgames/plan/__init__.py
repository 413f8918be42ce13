"""Planning a compound game of one role: its subgames explored apart, the whole searched in their tables."""

from search.subgames.plan.planner import Planner

__all__ = ["Planner"]
