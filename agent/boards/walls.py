"""Facts about an edge of a cell.

Walls, ``(blockedEast 3 4)`` or ``(wall 3 4 east)``, and comparisons with the neighbouring cell, ``(gt_right 3 4)``.
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
"""Words that name a wall."""
COMPARED = {
    **dict.fromkeys(("gt", "greater", "more", "larger", "bigger"), "greater"),
    **dict.fromkeys(("lt", "less", "fewer", "smaller"), "less"),
}
"""Words that compare a cell with its neighbour."""
KEPT = 10_000
"""Maximum cached results; these functions are called for every fact of each position."""


@lru_cache(KEPT)
def edge_of(relation: str, content: str) -> str:
    """Return the edge of a cell that has a wall according to the words of a fact; empty if there is none."""
    side = next((SIDES[word] for word in _words(f"{relation} {content}") if word in SIDES), "")
    return side if is_wall(f"{relation} {content}") else ""


@lru_cache(KEPT)
def is_wall(name: str) -> bool:
    """Whether one of the words in `name` means a wall."""
    return any(word in WALLS for word in _words(name))


@lru_cache(KEPT)
def sign_of(relation: str, content: str) -> tuple[str, str]:
    """Return the edge at which a fact compares a cell with its neighbour, and ``greater`` or ``less``.

    Return two empty texts if the words of the fact name no comparison.
    """
    words = _words(f"{relation} {content}")
    side = next((SIDES[word] for word in words if word in SIDES), "")
    kind = next((COMPARED[word] for word in words if word in COMPARED), "")
    return (side, kind) if side and kind and not is_wall(f"{relation} {content}") else ("", "")


def at_edge(relation: str, content: str) -> bool:
    """Whether a fact describes an edge of its cell and not a piece."""
    return bool(edge_of(relation, content) or sign_of(relation, content)[0])


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
