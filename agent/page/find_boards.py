"""Where a game's boards are, and what else is told of their cells.

They are found in the facts of one position, those that may ever be true, and those of other positions, in this order:
a cell for each fact (`agent.gamemaster.board`), cells in no lines, points joined by lines, several things in a cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from agent.gamemaster.board import find_layouts
from agent.gamemaster.layout import Grouped, Layout, grouped
from agent.page.crowded import crowded_layout
from agent.page.net_board import Net, net_layout
from agent.page.overlay import Lines, Overlay, lines_of, overlays_of
from agent.page.terms import term_of
from agent.page.walls import is_wall
from reasoner.language.terms import Compound, Term

MAX_FACTS = 8_000
"""Facts among which boards are looked for, those of other positions too."""
MAX_ARGUMENTS = 8
"""Arguments of a fact that may be of a board; each pair of them may be its lines."""
MIN_POINTS = 3  # on a side

Positions = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Joint moves, none at a beginning, with the facts they led to."""


@dataclass(frozen=True, slots=True)
class Over:
    """What is told of the cells of the first board by other facts than its own."""

    overlays: tuple[Overlay, ...] = ()
    lines: Lines | None = None
    points: bool = False  # the board is one of points that lines join


def layouts_of(
    facts: Iterable[str],
    possible: Iterable[str],
    positions: Positions = (),
    orders: Sequence[Sequence[str]] = (),
    nets: Sequence[Net] = (),
    upright: Collection[str] = (),
) -> tuple[Layout, ...]:
    """Where the boards are: in the facts of one state, those that may become true, and those of other positions.

    Relations that are `upright` name a row before a column. The rest as for `_found`.
    """
    found = _found(facts, possible, positions, orders, nets)
    return tuple(_upright(layout) if layout.relation[0] in upright else layout for layout in found)


def _upright(layout: Layout) -> Layout:
    """With rows for columns, the first of them on top, unless the lines' own names have told that already."""
    if layout.across >= layout.up or layout.spots:
        return layout
    return replace(layout, across=layout.up, up=layout.across, columns=layout.rows[::-1], rows=layout.columns)


def _found(
    facts: Iterable[str],
    possible: Iterable[str],
    positions: Positions,
    orders: Sequence[Sequence[str]],
    nets: Sequence[Net],
) -> tuple[Layout, ...]:
    """The boards as their facts name them.

    `orders` are words in an order in which they may be the lines of a board, `nets` pairs of words that may be cells
    side by side.
    """
    told = _told(facts, possible, positions)
    if told is None:
        return ()
    (state, *states), ever = told
    grids = find_layouts(state, [fact for facts in ever.values() for fact in facts], states, orders)
    grids = grids or find_layouts(state, (), states, orders)  # what may be is declared amiss in some rules
    spread = net_layout([state, *states], ever, nets, grids)
    if spread:
        return (spread,)
    if points := _points(ever, grids):
        return (points,)
    crowded = crowded_layout([state, *states], ever, grids)
    return (crowded,) if crowded else grids


def over_of(
    layouts: Sequence[Layout],
    facts: Iterable[str],
    possible: Iterable[str],
    positions: Positions = (),
    hidden: Collection[str] = (),
) -> Over:
    """What is told of the cells of an only board, but for `hidden` relations; the rest as for `layouts_of`."""
    told = _told(facts, possible, positions)
    if told is None or len(layouts) != 1:
        return Over()
    (board,), (states, ever) = layouts, told
    found = lines_of(ever)
    lines = found[0] if found and set(found[1]) <= set(board.columns) and set(found[2]) <= set(board.rows) else None
    points = lines is not None and board.relation == lines.relation
    own = lines and lines.relation
    rest = {relation: facts for relation, facts in ever.items() if relation != own and relation[0] not in hidden}
    return Over(overlays_of(board, layouts, rest, states, points), lines, points)


def _told(
    facts: Iterable[str], possible: Iterable[str], positions: Positions
) -> tuple[list[list[Term]], Grouped] | None:
    """The facts of each state, that at hand first, and all that may ever be; None where they are too many."""
    here, ever = list(facts), list(possible)
    left = MAX_FACTS - len(here) - len(ever)
    if left < 0:
        return None
    states = [here]
    for _, told in positions:
        left -= len(told)
        if left < 0:
            break
        states.append(list(told))
    every = dict.fromkeys([*here, *ever, *(text for state in states[1:] for text in state)])
    terms = {text: term for text in every if _may_be_cell(term := term_of(text))}
    return [[terms[text] for text in state if text in terms] for state in states], grouped(terms.values())


def _may_be_cell(term: Term) -> bool:
    return not isinstance(term, Compound) or len(term.arguments) <= MAX_ARGUMENTS


def _points(ever: Grouped, grids: Sequence[Layout]) -> Layout | None:
    """The board of points that lines join, where no other board has more cells."""
    found = lines_of(ever)
    if found is None or is_wall(found[0].relation[0]):
        return None
    lines, columns, rows = found
    grids = [grid for grid in grids if grid.relation != lines.relation]
    if min(len(columns), len(rows)) < MIN_POINTS or any(grid.size >= len(columns) * len(rows) for grid in grids):
        return None
    return Layout(lines.relation, lines.at, lines.at + 1, columns, rows[::-1], {})
