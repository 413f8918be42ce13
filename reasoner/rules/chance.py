"""The role of chance: GDL's `random`, a keyword, and so recognised in any case."""

from __future__ import annotations

CHANCE = "random"
"""The role whose moves are drawn uniformly from its legal moves."""


def is_chance(role: str) -> bool:
    """Whether the role of that name is chance."""
    return role.lower() == CHANCE
