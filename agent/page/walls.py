"""Words of facts that tell of an edge of a cell.

Walls, ``(blockedEast 3 4)`` or ``(wall 3 4 east)``, and comparisons with the cell beside it, ``(gt_right 3 4)``.
"""

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
COMPARED = {
    **dict.fromkeys(("gt", "greater", "more", "larger", "bigger"), "greater"),
    **dict.fromkeys(("lt", "less", "fewer", "smaller"), "less"),
}
"""Words that compare a cell with that at its edge."""
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


@lru_cache(KEPT)
def sign_of(relation: str, content: str) -> tuple[str, str]:
    """A comparison with the cell beside it: the edge, and whether this one is ``greater`` or ``less``; else empty."""
    words = _words(f"{relation} {content}")
    side = next((SIDES[word] for word in words if word in SIDES), "")
    kind = next((COMPARED[word] for word in words if word in COMPARED), "")
    return (side, kind) if side and kind and not is_wall(f"{relation} {content}") else ("", "")


def at_edge(relation: str, content: str) -> bool:
    """Whether a fact tells of an edge of its cell, by which no piece stands there."""
    return bool(edge_of(relation, content) or sign_of(relation, content)[0])


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
