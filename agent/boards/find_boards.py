"""Detection of a game's boards and their overlays.

Boards are found in the facts of one position, the declared base facts, and other positions. The kinds of boards are
tried in this order: one fact per cell (`agent.boards.find_layouts`), piles, cells without rows, points joined by
lines, several things in a cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from agent.boards.find_layouts import find_layouts
from agent.boards.layout import Grouped, Layout, grouped
from agent.boards.more_boards import with_more_boards
from agent.boards.net_board import Net, net_layout
from agent.boards.overlay import Lines, Overlay, lines_of, overlays_of
from agent.boards.piles import pile_layout
from agent.boards.shared_cells import crowded_layout
from agent.boards.terms import term_of
from agent.boards.walls import is_wall
from reasoner.language.terms import Compound, Term

MAX_FACTS = 8_000
"""Maximum facts that are searched for boards, including other positions."""
MAX_ARGUMENTS = 8
"""Maximum arguments of a fact of a board; each pair of them may be its coordinates."""
MIN_POINTS = 3  # minimum points on a side of a board

Positions = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Joint moves (empty at a start), with the facts after them."""


@dataclass(frozen=True, slots=True)
class Over:
    """Overlays of a board: facts of other relations about its cells."""

    overlays: tuple[Overlay, ...] = ()
    lines: Lines | None = None
    points: bool = False  # the board consists of points joined by lines


def layouts_of(
    facts: Iterable[str],
    possible: Iterable[str],
    positions: Positions = (),
    orders: Sequence[Sequence[str]] = (),
    nets: Sequence[Net] = (),
    upright: Collection[str] = (),
) -> tuple[Layout, ...]:
    """Find the boards in the facts of one state; the `possible` facts and other positions help to recognize them.

    `orders` are ordered words that may be coordinates, `nets` are pairs of words that may be adjacent cells, and
    `upright` are relations with a row argument before a column argument.
    """
    found = _found(facts, possible, positions, orders, nets)
    return tuple(_upright(layout) if layout.relation[0] in upright else layout for layout in found)


def _upright(layout: Layout) -> Layout:
    """Swap rows and columns, with the first row at the top, unless the column argument comes after the row argument."""
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
    """Find the boards; see `layouts_of`. Coordinates keep the order of the facts' arguments."""
    told = _told(facts, possible, positions)
    if told is None:
        return ()
    (state, *states), ever = told
    grids = find_layouts(state, [fact for facts in ever.values() for fact in facts], states, orders)
    grids = grids or find_layouts(state, (), states, orders)  # the base facts of some rules are wrong
    if piles := pile_layout([state, *states], ever, grids):
        return (piles,)
    spread = net_layout([state, *states], ever, nets, grids)
    if spread:
        return (spread,)
    if points := _points(ever, grids):
        return (points,)
    crowded = crowded_layout([state, *states], ever, grids)
    return (crowded,) if crowded else with_more_boards(grids, [state, *states], ever)


def over_of(
    layouts: Sequence[Layout],
    facts: Iterable[str],
    possible: Iterable[str],
    positions: Positions = (),
    hidden: Collection[str] = (),
) -> Over:
    """Find the overlays of the board if `layouts` has only one; relations in `hidden` are excluded.

    For the other parameters see `layouts_of`.
    """
    told = _told(facts, possible, positions)
    if told is None or len(layouts) != 1 or layouts[0].levels:
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
    """Return the facts of each state, the current one first, and all facts; None if there are too many facts."""
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
    """Return the board of points joined by lines, if no other board has more cells."""
    found = lines_of(ever)
    if found is None or is_wall(found[0].relation[0]):
        return None
    lines, columns, rows = found
    grids = [grid for grid in grids if grid.relation != lines.relation]
    if min(len(columns), len(rows)) < MIN_POINTS or any(grid.size >= len(columns) * len(rows) for grid in grids):
        return None
    return Layout(lines.relation, lines.at, lines.at + 1, columns, rows[::-1], {})
