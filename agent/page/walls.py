"""Words of facts by which there is a wall at an edge of a cell: ``(blockedEast 3 4)``, ``(wall 3 4 east)``."""

from __future__ import annotations

import re
from functools import lru_cache

SIDES = {
    **dict.fromkeys(("north", "up", "top", "above"), "top"),
    **dict.fromkeys(("south", "down", "bottom", "below"), "bottom"),
    **dict.fromkeys(("east", "right"), "right"),
    **dict.fromkeys(("west", "left"), "left"),
}
"""Words that name an edge of a cell."""
WALLS = ("wall", "walled", "block", "blocked", "barrier", "fence", "fenced", "closed")
"""Words that say that nothing goes over it."""
KEPT = 10_000
"""Answers that are kept: each position asks of every fact."""


@lru_cache(KEPT)
def edge_of(relation: str, content: str) -> str:
    """The edge of a cell at which there is a wall, by the words of a fact; empty where there is none."""
    side = next((SIDES[word] for word in _words(f"{relation} {content}") if word in SIDES), "")
    return side if is_wall(f"{relation} {content}") else ""


@lru_cache(KEPT)
def is_wall(name: str) -> bool:
    """Whether words say that nothing goes through."""
    return any(word in WALLS for word in _words(name))


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
