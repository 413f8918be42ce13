"""Layout of a graph board of nested rings, such as the three squares of nine men's morris.

The cells are divided into chordless cycles of the same length. All other edges must be spokes, which join the same
position of neighbouring rings. Such a graph is planar, and its concentric drawing has no crossings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from agent.boards.time_limit import check

Ways = tuple[tuple[int, int], ...]
Spots = tuple[tuple[float, float], ...]
Ring = tuple[int, ...]  # cells in the order of the cycle

SHORTEST, LONGEST = 4, 16
"""Lengths of rings in cells."""
MAX_RINGS = 6
MAX_NEIGHBOURS = 4
"""A cell has two neighbours in its ring, and one in each ring beside it."""
MAX_STEPS = 20_000
"""Maximum steps of the search for cycles, and of the search for divisions into cycles."""
MAX_COVERS = 1_000
"""Maximum divisions into cycles of one length that are tried."""
OUTSIDE, INSIDE = ("outer", "outside", "out"), ("inner", "inside", "in")
HALF = math.sqrt(0.5)
COMPASS = {
    **dict.fromkeys(("n", "north", "top"), (0.0, -1.0)),
    **dict.fromkeys(("s", "south", "bottom"), (0.0, 1.0)),
    **dict.fromkeys(("e", "east", "right"), (1.0, 0.0)),
    **dict.fromkeys(("w", "west", "left"), (-1.0, 0.0)),
    **dict.fromkeys(("ne", "northeast"), (HALF, -HALF)),
    **dict.fromkeys(("nw", "northwest"), (-HALF, -HALF)),
    **dict.fromkeys(("se", "southeast"), (HALF, HALF)),
    **dict.fromkeys(("sw", "southwest"), (-HALF, HALF)),
}


@lru_cache(32)
def ringed(names: tuple[str, ...], ways: Ways) -> Spots | None:
    """Return a place for each cell, in steps from the left and from the top; None if the cells form no nested rings.

    `names` are the names of the cells in reading order; they decide which ring is outside, and which cell at the top.
    """
    beside: list[set[int]] = [set() for _ in names]
    for one, other in ways:
        beside[one].add(other)
        beside[other].add(one)
    if not names or not all(2 <= len(near) <= MAX_NEIGHBOURS for near in beside):
        return None
    lengths = [length for length in range(SHORTEST, LONGEST + 1) if len(names) % length == 0]
    for length in lengths:
        if 2 <= len(names) // length <= MAX_RINGS:
            covers = islice(_covers(beside, length), MAX_COVERS)
            found = next((rings for cover in covers if (rings := _aligned(cover, beside))), None)
            if found:
                return _best(found, beside, names)
    return None


def _covers(beside: Sequence[set[int]], length: int) -> Iterator[list[Ring]]:
    """Yield the divisions of all cells into chordless cycles of this length, within MAX_STEPS."""
    cycles = list(_cycles(beside, length))
    through: dict[int, list[Ring]] = {}
    for cycle in cycles:
        for cell in cycle:
            through.setdefault(cell, []).append(cycle)

    steps = iter(range(MAX_STEPS))

    def complete(chosen: list[Ring], left: frozenset[int]) -> Iterator[list[Ring]]:
        if not left:
            yield chosen
            return
        for cycle, _ in zip(through.get(min(left), ()), steps, strict=False):
            if left.issuperset(cycle):
                yield from complete([*chosen, cycle], left - frozenset(cycle))

    yield from complete([], frozenset(range(len(beside))))


def _cycles(beside: Sequence[set[int]], length: int) -> Iterator[Ring]:
    """Yield the chordless cycles of this length, each once, within MAX_STEPS."""
    steps = 0
    stack: list[Ring] = [(start,) for start in range(len(beside))]
    while stack and steps < MAX_STEPS:
        steps += 1
        path = stack.pop()
        for cell in beside[path[-1]]:
            if cell <= path[0] or cell in path or any(cell in beside[one] for one in path[1:-1]):
                continue
            closed = len(path) > 1 and path[0] in beside[cell]
            if closed and len(path) == length - 1 and path[1] < cell:
                yield (*path, cell)
            elif not closed and len(path) < length - 1:
                stack.append((*path, cell))


def _aligned(cover: Sequence[Ring], beside: Sequence[set[int]]) -> list[Ring] | None:
    """Return the rings in the order of their spokes, each rotated so that spokes join equal positions; else None."""
    check()
    order = _in_a_row(cover, beside)
    rings = list(order[:1])
    for ring in order[1:]:
        turned = next((one for one in _turns(ring) if _spoked(rings[-1], one, beside)), None)
        if turned is None:
            return None
        rings.append(turned)
    return rings if rings and _spokes(rings, beside) == sum(map(len, beside)) // 2 - len(beside) else None


def _in_a_row(cover: Sequence[Ring], beside: Sequence[set[int]]) -> list[Ring]:
    """Return the rings in the order in which edges join them; empty if this is no single row."""
    ring_of = {cell: number for number, ring in enumerate(cover) for cell in ring}
    joined = [{ring_of[near] for cell in ring for near in beside[cell]} - {number} for number, ring in enumerate(cover)]
    order = [number for number, near in enumerate(joined) if len(near) == 1][:1]
    while order and (following := joined[order[-1]].difference(order)):
        if len(following) > 1:
            return []
        order += following
    return [cover[number] for number in order] if len(order) == len(cover) else []


def _turns(ring: Ring) -> Iterator[Ring]:
    for way in (ring, ring[::-1]):
        yield from (way[start:] + way[:start] for start in range(len(way)))


def _spoked(one: Ring, other: Ring, beside: Sequence[set[int]]) -> bool:
    """Whether all edges between two rings are between equal positions, and there are some."""
    inside = set(other)
    ends = [beside[cell] & inside for cell in one]
    return any(ends) and all(near <= {cell} for near, cell in zip(ends, other, strict=True))


def _spokes(rings: Sequence[Ring], beside: Sequence[set[int]]) -> int:
    return sum(b in beside[a] for one, other in pairwise(rings) for a, b in zip(one, other, strict=True))


def _best(rings: list[Ring], beside: Sequence[set[int]], names: Sequence[str]) -> Spots:
    """Return the places of the rotation, reflection and nesting that fit the names best."""
    found = []
    for nested in (rings, rings[::-1]):
        for turned in zip(*map(_turns, nested), strict=True):
            spots = _placed(turned)
            begins = -min(turned[0]), -sum(spots[0])  # the first cell is outside, at the top left
            found.append(((-_cornered(turned[0], beside), _named(spots, names), *begins, _read(spots)), spots))
    return max(found)[1]


def _cornered(ring: Ring, beside: Sequence[set[int]]) -> int:
    """Return the number of corners with spokes in a square ring; 0 if all cells of the ring are corners."""
    side = len(ring) // 4
    return sum(len(beside[cell]) > 2 for cell in ring[::side]) if side > 1 else 0


def _placed(rings: Sequence[Sequence[int]]) -> Spots:
    """Return the places of nested rings, outermost first; rings whose length is a multiple of 4 are squares."""
    length = len(rings[0])
    widest = len(rings) * max(1.0, length / 8)
    spots = {}
    for depth, ring in enumerate(rings):
        radius = widest * (1 - depth / len(rings))
        for at, cell in enumerate(ring):
            x, y = _on_square(at / length) if length % 4 == 0 else _on_circle(at / length)
            spots[cell] = (round(widest + radius * x, 3), round(widest + radius * y, 3))
    return tuple(spots[cell] for cell in range(len(spots)))


def _on_square(part: float) -> tuple[float, float]:
    """Return a point of the square from -1 to 1, clockwise from the top left corner."""
    side, along = divmod(4 * part, 1)
    x, y = -1 + 2 * along, -1.0
    for _ in range(int(side)):
        x, y = -y, x
    return x, y


def _on_circle(part: float) -> tuple[float, float]:
    return math.sin(2 * math.pi * part), -math.cos(2 * math.pi * part)


def _named(spots: Spots, names: Sequence[str]) -> float:
    """Return how well the places fit words for directions, and for outside and inside."""
    middle = max(x for x, _ in spots) / 2
    fit = 0.0
    for (x, y), name in zip(spots, names, strict=True):
        dx, dy = x - middle, y - middle
        far = max(abs(dx), abs(dy))
        for word in name.lower().split():
            right, down = COMPASS.get(word, (0.0, 0.0))
            fit += (dx * right + dy * down) / (math.hypot(dx, dy) or 1.0)
            fit += far * ((word in OUTSIDE) - (word in INSIDE))
    return round(fit, 3)


def _read(spots: Spots) -> float:
    """Return how well the order of the cells agrees with the reading order."""
    middle = (len(spots) - 1) / 2
    return round(sum((number - middle) * (2 * y + x) for number, (x, y) in enumerate(spots)), 3)
