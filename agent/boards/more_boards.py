"""Further boards of a game with one large board or with many small ones, such as ultimate tic-tac-toe.

A further board has contents of the boards found so far. It either shows the result of each small board, ``(won 1 2 x)``
beside ``(cell 1 2 3 3 x)``, or is a board of another size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from agent.boards.find_layouts import find_layouts
from agent.boards.layout import BLANKS, Grouped, Layout, grouped
from reasoner.language.terms import Compound, Term

ARITY = 3
"""Arguments of a fact: two coordinates and a content."""
MIN_SIDE = 3
MIN_FILLED = 0.5
"""Minimum share of the cells of a board that some state fills."""


def with_more_boards(grids: Sequence[Layout], states: Sequence[Iterable[Term]], ever: Grouped) -> tuple[Layout, ...]:
    """Return the boards `grids`, and further boards in the facts."""
    if not grids or grids[0].marked or grids[0].joined:
        return tuple(grids)
    every = [grouped(state) for state in states]
    contents = {content for grid in grids for content in grid.symbols} - BLANKS
    found = list(grids)
    for relation, facts in sorted(ever.items()):
        if relation[1] != ARITY or relation == grids[0].relation:
            continue
        whole = _whole(grids, relation, facts)
        if whole is not None and _shares(whole, contents):
            found = [*(grid for grid in found if grid.relation != relation), whole]
        elif len(grids) == 1:
            own = [state.get(relation, ()) for state in every]
            others = find_layouts(own[0], facts, own[1:])
            if len(others) == 1 and _shares(others[0], contents) and _apart(others[0], grids[0], own):
                found += others
    return tuple(found)


def _whole(grids: Sequence[Layout], relation: tuple[str, int], facts: Sequence[Compound]) -> Layout | None:
    """Return the board with a cell for each of `grids`, laid out as these; None if the facts name other cells."""
    if len(grids[0].board) != 2:
        return None
    rows, columns = (
        tuple(dict.fromkeys(grid.board[half][1] for grid in grids if grid.relation == grids[0].relation))
        for half in (0, 1)
    )
    for up in range(relation[1] - 1):
        layout = Layout(relation, up + 1, up, columns, rows, {})
        if {layout.place(fact) for fact in facts} <= set(product(columns, rows)):
            symbols = {content: content for content in sorted({layout.content(fact) for fact in facts})}
            return Layout(relation, up + 1, up, columns, rows, symbols)
    return None


def _shares(layout: Layout, contents: set[str]) -> bool:
    own = set(layout.symbols) - BLANKS
    return bool(own) and own <= contents


def _apart(layout: Layout, board: Layout, states: Sequence[Sequence[Term]]) -> bool:
    """Whether a board has another size, and its facts fill many of its cells at a time."""
    sides, others = (sorted((len(one.columns), len(one.rows))) for one in (layout, board))
    return (
        not layout.board
        and not layout.joined
        and min(sides) >= MIN_SIDE
        and sides != others
        and max(map(len, states)) >= MIN_FILLED * layout.size
    )
