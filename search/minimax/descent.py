"""Best-first minimax, the small searches of self-play: descents to the leaves that matter most, and backup of values.

A descent goes to the child with the best value for the role that moves, plus a bonus for few visits. The leaf at its
end waits until leaves of many games are expanded at once. The value of a position is the
best value of its children for the role that moves (Korf and Chickering 1996, "Best-first minimax search";
Cohen-Solal 2020, "Learning to play two-player perfect-information games without knowledge").

The evaluation of a leaf is unreliable after a capture or another move that changed the evaluation much, because the
opponent's answer was not searched. So the line of best moves below an expanded leaf is followed until its last move is
quiet (quiescence search).
"""

from __future__ import annotations

import numpy as np

from reasoner.kernels import device_function_norefcount
from reasoner.kernels.scalars import int64
from search.minimax.positions import PENDING, SOLVED, Positions

FAR = 1 << 30
MAX_SETTLING_MOVES = 12
"""Maximum length of the line that is followed below an expanded leaf."""


@device_function_norefcount
def best_child(positions: Positions, node: int, bonus: float) -> int:
    """Return the child to descend to; -1: each child is solved or waits for its expansion."""
    first, mover, best, at = positions.first[node], positions.movers[node], -1.0, -1
    weight = np.float32(bonus * np.sqrt(np.log(positions.visits[node] + 1.0)))
    for child in range(first, first + positions.sizes[node]):
        if positions.marks[child]:
            continue
        value = positions.values[child] if mover == 0 else np.float32(1.0) - positions.values[child]
        score = value + weight / np.sqrt(np.float32(positions.visits[child] + 1))
        if score > best:
            best, at = score, child
    return at


@device_function_norefcount
def descend(positions: Positions, root: int, bonus: float) -> int:
    """Return the leaf of a descent, which then waits for its expansion; -1: there is none."""
    node = root
    while positions.sizes[node]:
        child = best_child(positions, node, bonus)
        if child < 0:
            return -1
        node = child
    positions.marks[node] |= PENDING
    at = node
    while at != root:
        positions.visits[at] += 1
        at = positions.parents[at]
    positions.visits[root] += 1
    return node


@device_function_norefcount
def unsettled(positions: Positions, node: int, quiet: float) -> int:
    """Return the leaf at the end of the best line below `node` if it must be expanded before it is trusted; else -1."""
    for _ in range(MAX_SETTLING_MOVES):
        first, mover, best, at = positions.first[node], positions.movers[node], np.float32(-1.0), -1
        for child in range(first, first + positions.sizes[node]):
            value = positions.values[child] if mover == 0 else np.float32(1.0) - positions.values[child]
            if value > best:
                best, at = value, int64(child)
        if at < 0 or positions.marks[at]:
            return -1
        if not positions.sizes[at]:
            gain = positions.logits[at] - positions.logits[node]
            return at if (gain if mover == 0 else -gain) > quiet else -1
        node = at
    return -1


@device_function_norefcount
def back_up(positions: Positions, node: int, root: int) -> None:
    """Compute the values from a node to the root."""
    while True:
        combine(positions, node)
        if node == root:
            return
        node = positions.parents[node]


@device_function_norefcount
def combine(positions: Positions, node: int) -> None:
    """Compute the value of a node from its children; it is exact if a child wins or if all children are exact."""
    first, mover = positions.first[node], positions.movers[node]
    best, won, exact, quickest, longest = np.float32(-1.0), False, True, FAR, 0
    for child in range(first, first + positions.sizes[node]):
        value = positions.values[child] if mover == 0 else np.float32(1.0) - positions.values[child]
        best = max(best, value)
        if positions.marks[child] & SOLVED:
            distance = int64(positions.distances[child])
            longest = max(longest, distance)
            if value >= 1.0:
                won, quickest = True, min(quickest, distance)
        else:
            exact = False
    positions.values[node] = best if mover == 0 else np.float32(1.0) - best
    if won or exact:
        positions.marks[node] |= SOLVED
        positions.distances[node] = 1 + (quickest if won else longest)
