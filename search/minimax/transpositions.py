"""Transpositions: positions that are equal, at the same depth of the search, share their children.

A table has the expanded positions in places given by hashes of their states; of two in the same place, it has the later
one. Before a leaf is expanded, an equal position is looked up. If there is one, the leaf takes its children, and all
that was searched below them. The parent of the children remains the position that was expanded.
"""

from __future__ import annotations

from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.hashing import joined, place_of
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64
from search.minimax.positions import USED, Positions


@device_function_norefcount
def _place(positions: Positions, node: int) -> int:
    code = GOLDEN
    for w in range(positions.states.shape[1]):
        code = joined(code, positions.states[node, w])
    return int64(place_of(code, len(positions.table) - 1))


@device_function_norefcount
def remember(positions: Positions, node: int) -> None:
    """Enter a position that is expanded, or will be."""
    positions.table[_place(positions, node)] = node


@device_function_norefcount
def equal_position(positions: Positions, node: int) -> int:
    """Return the position in the table that equals `node` and has the same depth; -1: there is none.

    The table may have places of positions that were since dropped, so everything is compared.
    """
    other = int64(positions.table[_place(positions, node)])
    if other == node or other >= positions.counts[USED] or positions.depths[other] != positions.depths[node]:
        return -1
    for w in range(positions.states.shape[1]):
        if positions.states[other, w] != positions.states[node, w]:
            return -1
    return other


@device_function_norefcount
def share(positions: Positions, node: int, other: int) -> None:
    """Give a leaf the children of an equal position."""
    positions.first[node], positions.sizes[node] = positions.first[other], positions.sizes[other]
    positions.movers[node] = positions.movers[other]


@kernel_norefcount
def remember_all(positions: Positions) -> None:
    """Enter all expanded positions, after they were renumbered."""
    for node in range(positions.counts[USED]):
        if positions.sizes[node]:
            remember(positions, node)
