"""The role of chance: the GDL keyword `random`, in upper or lower case."""

from __future__ import annotations

CHANCE = "random"
"""The role whose moves are drawn uniformly from its legal moves."""


def is_chance(role: str) -> bool:
    """Whether a role name is the role of chance."""
    return role.lower() == CHANCE
