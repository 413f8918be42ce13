"""Overlays of a board: other facts that name its cells, such as things, walls and lines.

A relation names cells if two adjacent arguments of each of its facts are a cell, as in the facts of the board itself.
The other arguments of a fact are then a thing in this cell. Facts that name two neighbouring cells are lines between
the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.boards.layout import BLANKS, Grouped, Layout
from agent.boards.shared_cells import range_of
from agent.boards.walls import is_wall, sign_of
from reasoner.language.terms import Compound, Term

MAX_FACTS_OF_CELL = 6
"""Maximum facts of one relation that name the same cell."""
MORE_WORDS = 2
"""Maximum arguments that are not coordinates."""
EVERY = 0.5
"""If facts describe at least this share of the board's pieces, they are properties of the pieces, not things."""
NEAR = 0.9
"""Minimum share of lines that join neighbours."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Things of one relation in the cells of a board, or `between` the cells; `layout` finds their cells in facts."""

    layout: Layout
    between: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """A relation whose facts join two cells; `at` is the index of the first of the four cell arguments."""

    relation: tuple[str, int]
    at: int

    def ends(self, fact: Compound) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the column and row of both ends."""
        x, y, u, v = map(str, fact.arguments[self.at : self.at + 4])
        return (x, y), (u, v)


def overlays_of(
    board: Layout, layouts: Sequence[Layout], ever: Grouped, states: Sequence[Sequence[Term]], points: bool
) -> tuple[Overlay, ...]:
    """Find the overlays of a board; the facts of `layouts` are excluded."""
    own = {layout.relation for layout in layouts}
    found = []
    for relation, facts in sorted(ever.items()):
        if relation in own:
            continue
        layouts_there = (replace(board, relation=relation, across=i, up=j) for i, j in _pairs(board, relation[1]))
        layout = next((one for one in layouts_there if _names_cells(one, facts)), None)
        if layout is not None and _are_things(layout, board, states, points):
            contents = {content: content for content in sorted({layout.content(fact) for fact in facts})}
            found.append(Overlay(replace(layout, symbols=contents), points and _amid(layout, facts, states)))
    return tuple(found)


def lines_of(ever: Grouped) -> tuple[Lines, tuple[str, ...], tuple[str, ...]] | None:
    """Return the relation that joins most neighbours, with its columns and rows; rows from the bottom."""
    best = None
    for relation, facts in sorted(ever.items()):
        for at in range(relation[1] - 3):
            lines = Lines(relation, at)
            ends = [lines.ends(fact) for fact in facts]
            columns, rows = (range_of(end[half] for pair in ends for end in pair) for half in (0, 1))
            near = sum(_beside(*pair, columns, rows) for pair in ends) if columns and rows else 0
            if near and near >= NEAR * len(facts) and (best is None or near > best[0]):
                best = near, (lines, columns, rows)
    return best and best[1]


def _pairs(board: Layout, arity: int) -> Iterable[tuple[int, int]]:
    """Return the argument pairs that may name a cell in the same way as the facts of the board."""
    if board.across == board.up:
        return ((index, index) for index in range(arity) if arity <= 1 + MORE_WORDS)
    if board.board or arity > 2 + MORE_WORDS:
        return ()
    turned = board.across > board.up
    return ((index + 1, index) if turned else (index, index + 1) for index in range(arity - 1))


def _names_cells(layout: Layout, facts: Sequence[Compound]) -> bool:
    columns, rows = set(layout.columns), set(layout.rows)
    places = (layout.place(fact) for fact in facts)
    return all(column in columns and row in rows for column, row in places)


def _are_things(layout: Layout, board: Layout, states: Sequence[Sequence[Term]], points: bool) -> bool:
    """Whether facts are things, few per cell, and not properties of the board's pieces."""
    told = stand = most = 0
    apart = points or board.marked or is_wall(layout.relation[0]) or bool(sign_of(layout.relation[0], "")[0])
    for state in states:
        places = Counter(layout.place(fact) for fact in state if isinstance(fact, Compound) and layout.holds(fact))
        cells = zip(board.rows, board.cells(state), strict=True)
        full = {
            (column, row)
            for row, contents in cells
            for column, content in zip(board.columns, contents, strict=True)
            if content and content not in BLANKS
        }
        apart = apart or bool(set(places) - full)
        most = max(most, *places.values(), 0)
        told, stand = told + len(places), stand + len(full)
    return 0 < most <= MAX_FACTS_OF_CELL and (apart or (not layout.marked and told < EVERY * stand))


def _amid(layout: Layout, facts: Sequence[Compound], states: Sequence[Sequence[Term]]) -> bool:
    """Whether the things are between points: one fact per cell, and none in the last row or column."""
    columns, rows = zip(*(layout.place(fact) for fact in facts), strict=True)
    own = ([fact for fact in state if isinstance(fact, Compound) and layout.holds(fact)] for state in states)
    alone = all(len({layout.place(fact) for fact in told}) == len(told) for told in own)
    return alone and layout.columns[-1] not in columns and layout.rows[0] not in rows


def _beside(one: tuple[str, str], other: tuple[str, str], columns: Sequence[str], rows: Sequence[str]) -> bool:
    across = abs(columns.index(one[0]) - columns.index(other[0]))
    return max(across, abs(rows.index(one[1]) - rows.index(other[1]))) == 1
