"""The role that chance plays: GDL's `random`, a keyword, and so recognised in any case."""

from __future__ import annotations

CHANCE = "random"
"""The role whose moves are drawn, each legal one as likely as another."""


def is_chance(role: str) -> bool:
    """Whether chance plays the role of that name."""
    return role.lower() == CHANCE
