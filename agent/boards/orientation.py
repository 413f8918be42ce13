"""Orientation of a board: the pieces of the first role start at the bottom, so that its forward direction is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.boards.find_boards import Over
from agent.boards.layout import Layout
from agent.boards.overlay import Overlay
from agent.boards.pieces import Symbol
from agent.boards.terms import term_of

APART = 0.35
"""Minimum distance between the mean places of two armies, as a share of the board's side."""


def forward_up(layout: Layout, over: Over, first: Sequence[str], made: Mapping[str, Symbol]) -> tuple[Layout, Over]:
    """Return the board, turned so that the pieces of the first role start below those of the second.

    `first` are the facts of the first position. A board without two separate armies is not turned.
    """
    x, y = _apart(layout, first, made)
    if abs(x) > APART and abs(x) > 2 * abs(y) and over.lines is None:
        return _quarter(layout, x > 0), replace(over, overlays=tuple(_transposed(one) for one in over.overlays))
    if y < -APART and abs(y) > 2 * abs(x):
        return replace(layout, rows=layout.rows[::-1]), over
    return layout, over


def _apart(layout: Layout, first: Sequence[str], made: Mapping[str, Symbol]) -> tuple[float, float]:
    """Return how far the pieces of the first role start to the right of and below the others, as shares of the sides.

    Return zeros if cells are not in rows, or unless exactly two roles have pieces.
    """
    places: dict[int, list[tuple[float, float]]] = {}
    if layout.spots or layout.joined:
        return 0.0, 0.0
    for y, row in enumerate(layout.cells(map(term_of, first))):
        for x, content in enumerate(row):
            symbol = made.get(content)
            if symbol and symbol.owner is not None and not symbol.blank:
                places.setdefault(symbol.owner, []).append((x, y))
    if sorted(places) != [0, 1]:
        return 0.0, 0.0
    own, other = ([sum(axis) / len(axis) for axis in zip(*places[role], strict=True)] for role in (0, 1))
    return (own[0] - other[0]) / len(layout.columns), (own[1] - other[1]) / len(layout.rows)


def _quarter(layout: Layout, clockwise: bool) -> Layout:
    """Rotate a board by 90 degrees."""
    way = -1 if clockwise else 1
    columns, rows = layout.rows[::way], layout.columns[::-way]
    return replace(layout, across=layout.up, up=layout.across, columns=columns, rows=rows)


def _transposed(overlay: Overlay) -> Overlay:
    layout = overlay.layout
    return replace(overlay, layout=replace(layout, across=layout.up, up=layout.across))
