"""Best-first minimax: descents to the leaves that matter most, expanded together, and backup of minimax values.

A descent goes to the child with the best value for the role that moves, plus a bonus for few visits. The leaf at its
end waits until a pack of leaves is expanded at once; meanwhile its siblings are chosen. The value of a position is the
best value of its children for the role that moves (Korf and Chickering 1996, "Best-first minimax search";
Cohen-Solal 2020, "Learning to play two-player perfect-information games without knowledge").

The evaluation of a leaf is unreliable after a capture or another move that changed the evaluation much, because the
opponent's answer was not searched. So the line of best moves below an expanded leaf is followed until its last move is
quiet (quiescence search).
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.scalars import int64
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES
from search.minimax.expansion import MOST, Game, Pack, expand_pack
from search.minimax.positions import OPENED, PENDING, SOLVED, USED, Positions

DONE, FULL, PROVEN = 0, 1, 2
"""Results of `grow`: enough packs; the memory or the game's faults prevent more; the root is solved."""
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
        _combine(positions, node)
        if node == root:
            return
        node = positions.parents[node]


@device_function_norefcount
def _combine(positions: Positions, node: int) -> None:
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


@kernel_norefcount
def grow(
    program: Lanes, game: Game, positions: Positions, pack: Pack, root: int, bonus: float, quiet: float, packs: int
) -> int:
    """Expand up to `packs` packs of leaves below `root`; a move that gains more logits than `quiet` is not quiet."""
    opened = positions.counts[OPENED]
    for _ in range(packs):
        if positions.marks[root] & SOLVED:
            return PROVEN
        size, lanes, kept = 0, 0, 0
        for k in range(opened):
            node = unsettled(positions, pack.opened[k], quiet)
            if node >= 0:
                pack.opened[kept] = pack.opened[k]
                kept += 1
                positions.marks[node] |= PENDING
                pack.asked[size] = node
                size += 1
                lanes += max(int64(positions.sizes[positions.parents[node]]), 1)
        opened = kept
        while size < MOST and lanes < LANES:
            node = descend(positions, root, bonus)
            if node < 0:
                break
            pack.asked[size] = pack.opened[opened] = node
            size, opened = size + 1, opened + 1
            lanes += max(int64(positions.sizes[positions.parents[node]]), 1)
        positions.counts[OPENED] = opened
        done = expand_pack(program, game, positions, pack, size)
        for k in range(size):
            positions.marks[pack.asked[k]] &= ~PENDING
        for k in range(done):
            back_up(positions, pack.asked[k], root)
        if done == 0:
            return FULL
    return DONE


@kernel_norefcount
def mark_kept(positions: Positions, root: int, visits: int, renumbered: Ints) -> int:
    """Number the root and the positions below it whose parents have more than `visits` visits; return how many.

    The other positions get number -1. Children have larger indices than their parents.
    """
    count = 1
    for node in range(positions.counts[USED]):
        renumbered[node] = -1
    renumbered[root] = 0
    for node in range(root + 1, positions.counts[USED]):
        parent = positions.parents[node]
        if parent >= root and renumbered[parent] >= 0 and (parent == root or positions.visits[parent] > visits):
            renumbered[node] = count
            count += 1
    return count


@kernel_norefcount
def keep_marked(positions: Positions, root: int, renumbered: Ints) -> None:
    """Move the numbered positions to their new places. A position that loses its children keeps its value."""
    used = 0
    for node in range(root, positions.counts[USED]):
        to = int64(renumbered[node])
        if to < 0:
            continue
        for w in range(positions.states.shape[1]):
            positions.states[to, w] = positions.states[node, w]
        first = int64(positions.first[node])
        kept = positions.sizes[node] > 0 and renumbered[first] >= 0
        positions.first[to] = renumbered[first] if kept else 0
        positions.sizes[to] = positions.sizes[node] if kept else 0
        positions.parents[to] = renumbered[positions.parents[node]] if node != root else 0
        positions.logits[to], positions.values[to] = positions.logits[node], positions.values[node]
        positions.moves[to], positions.visits[to] = positions.moves[node], positions.visits[node]
        positions.movers[to], positions.marks[to] = positions.movers[node], positions.marks[node]
        positions.distances[to] = positions.distances[node]
        used = to + 1
    positions.counts[USED] = used
