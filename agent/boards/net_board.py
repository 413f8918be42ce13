"""Boards without rows: cells that facts of the rules make adjacent, ``(adjacent a1 b3)``.

A cell may have two words, ``(adjacent outer n outer ne)``. A board of rings, stars or rooms is drawn as a graph: cells
and the edges between them (`agent.boards.rings`, `agent.boards.graph_layout`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.boards.graph_layout import Ways, spread
from agent.boards.layout import JOINED, Grouped, Layout, grouped
from agent.boards.rings import ringed
from reasoner.language.terms import Compound, Term

MIN_CELLS, MAX_CELLS = 5, 130
MAX_NEIGHBOURS = 8
"""Maximum neighbours of a cell."""
MIN_JOINED_SHARE = 0.6
"""Minimum share of the named cells that have an edge."""
EVEN = 0.9
"""Minimum share of equal steps that are edges, for cells in rows."""
NUMBER = re.compile(r"-?[0-9]{1,18}")

Net = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Board:
    """A relation, the one or two arguments that name cells, and the edges between the cells."""

    relation: tuple[str, int]
    named: tuple[int, ...]
    ways: frozenset[tuple[str, str]]
    facts: int

    @property
    def cells(self) -> set[str]:
        return {word for way in self.ways for word in way}


def net_layout(
    states: Sequence[Iterable[Term]], ever: Grouped, nets: Sequence[Net], grids: Sequence[Layout]
) -> Layout | None:
    """Return the graph board of one relation; None if there is none, or if `grids` fit better."""
    if not nets or not all(grid.joined for grid in grids):
        return None
    seen = grouped(fact for state in states for fact in state)
    found = [
        board
        for relation, facts in sorted(ever.items())
        for named in [*((index,) for index in range(relation[1])), *pairwise(range(relation[1]))]
        if (board := _board(relation, named, facts, nets, seen.get(relation, [])))
    ]
    if grids:
        found = [one for one in found if one.relation == grids[0].relation and not _in_lines(one.ways)]
    best = max(found, key=lambda one: (one.relation[1] > 1, len(one.cells), one.facts), default=None)
    return None if best is None else _layout(best, ever[best.relation])


def _board(
    relation: tuple[str, int],
    indices: tuple[int, ...],
    facts: Sequence[Compound],
    nets: Sequence[Net],
    seen: Sequence[Compound],
) -> _Board | None:
    """Return the graph board of the cells that arguments `indices` of `facts` name; `seen` are the facts of states."""
    named, used = ({" ".join(str(fact.arguments[i]) for i in indices) for fact in some} for some in (facts, seen))
    if relation[1] == 1 and all(map(NUMBER.fullmatch, named)):
        return None  # the numbers are a counter, not cells
    ways = _united(nets, lambda words: words <= named) or _united(nets, lambda words: named <= words)
    cells = {word for way in ways for word in way}
    fits = (
        MIN_CELLS <= len(cells) <= MAX_CELLS
        and len(ways) >= len(cells)
        and (_mutual(nets, ways) or not _counted(cells, ways))
    )
    known = len(named & cells) >= MIN_JOINED_SHARE * len(named) and used <= cells
    return _Board(relation, indices, frozenset(ways), len(seen)) if fits and known else None


def _mutual(nets: Sequence[Net], ways: set[tuple[str, str]]) -> bool:
    """Whether the facts have each edge in both directions; a successor relation has not."""
    told = {(pair[0], pair[1]) for net in nets for pair in net}
    return all((one, other) in told and (other, one) in told for one, other in ways)


def _counted(cells: set[str], ways: set[tuple[str, str]]) -> bool:
    """Whether cells are numbers without a ring; the edges are then those of a counter or an addition table."""
    return all(map(NUMBER.fullmatch, cells)) and (_beside(ways) > 2 or len(ways) != len(cells))


def _united(nets: Sequence[Net], wanted: Callable[[set[str]], bool]) -> set[tuple[str, str]]:
    """Return the union of the nets whose words are `wanted`, without nets that give a cell too many neighbours."""
    ways: set[tuple[str, str]] = set()
    for net in nets:
        more = {(min(pair), max(pair)) for pair in map(tuple, net) if pair[0] != pair[1]}
        if wanted({word for way in more for word in way}) and _beside(ways | more) <= MAX_NEIGHBOURS:
            ways |= more
    return ways


def _beside(ways: Iterable[tuple[str, str]]) -> int:
    return max(Counter(word for way in ways for word in way).values(), default=0)


def _in_lines(ways: frozenset[tuple[str, str]]) -> bool:
    """Whether cells are in rows: names are coordinates, and equal steps are edges, or all edges parallel to an axis."""
    cells = {word: place for way in ways for word in way if (place := _coordinates(word))}
    steps: Counter[tuple[int, int]] = Counter()
    for one, other in ways:
        if one not in cells or other not in cells:
            return False
        (x, y), (u, v) = cells[one], cells[other]
        steps[max((u - x, v - y), (x - u, y - v))] += 1
    if all(0 in step for step in steps):
        return True
    places = set(cells.values())
    alike = sum((x + dx, y + dy) in places for x, y in places for dx, dy in steps)
    return len(ways) >= EVEN * alike


def _coordinates(word: str) -> tuple[int, int] | None:
    found = JOINED.fullmatch(word)
    return (ord(found[1][0]), int(found[2])) if found else None


def _layout(board: _Board, facts: Sequence[Compound]) -> Layout:
    cells = sorted(board.cells, key=lambda word: (len(word) if NUMBER.fullmatch(word) else 0, word))
    index = {word: number for number, word in enumerate(cells)}
    ways: Ways = tuple(sorted((index[one], index[other]) for one, other in board.ways))
    spots = ringed(tuple(cells), ways) or spread(len(cells), ways, _hints(cells))
    order = sorted(range(len(cells)), key=lambda cell: (round(4 * spots[cell][1]), spots[cell][0]))
    place = {cell: number for number, cell in enumerate(order)}
    made = Layout(
        board.relation,
        board.named[0],
        board.named[-1],
        tuple(cells[cell] for cell in order),
        ("",),
        {},
        spots=tuple(spots[cell] for cell in order),
        ways=tuple((place[one], place[other]) for one, other in ways),
    )
    return replace(made, symbols={content: content for fact in facts for content in [made.content(fact)]})


def _hints(cells: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """Return the expected place of each cell: letters downwards and numbers to the right, or names to the right."""
    places = [place for cell in cells if (place := _coordinates(cell))]
    if len(places) == len(cells) and len({letter for letter, _ in places}) > 1:
        return tuple((float(number), float(letter)) for letter, number in places)
    return tuple((0.1 * number, 0.0) for number in range(len(cells)))
