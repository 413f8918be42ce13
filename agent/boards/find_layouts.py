"""Detection of boards in the facts of a state.

A relation is a grid if two of its arguments are coordinates (numbers, letters, or numbers after a common word) and each
pair of coordinates occurs at most once in a state: ``(cell 1 2 b)``. One word may contain both coordinates: ``(cell e4
b)``. A relation with one or two more arguments, ``(cell left 1 2 b)``, is several boards, one for each value of these
arguments. The detection is a heuristic; a wrong guess only gives an odd picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product

from agent.boards.layout import BLANKS, Layout, content_of, grouped, on_board, place_of
from agent.boards.time_limit import check
from reasoner.language.terms import Compound, Term

MAX_SIDE = 30  # cells; larger boards do not fit a terminal
MAX_BOARDS = 9  # per relation
MIN_MARKED = 3  # minimum side of a board without contents
MIN_ORDER = 3  # minimum words of an order (see `find_layouts`) that can be the lines of a board
SPARE = 20
"""At most one fact in this many may name a cell again; rules are not always exact."""
COVERED = 0.5
"""Minimum share of a grid's cells that must occur in facts, if there is no other evidence."""
NUMBERED = re.compile(r"([a-z]*?)-?([0-9]{1,18})", re.IGNORECASE)  # `int` refuses ² and numbers of 4,301 digits
DOWNWARD = ("r", "row")
"""Prefixes of row numbers that count from the top."""
ACROSS = ("c", "col", "column", "x", "file")

Orders = Sequence[Sequence[str]]
Board = tuple[tuple[int, str], ...]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts of one relation: in the state, in any state (`ever`), and in each known state."""

    state: list[Compound]
    ever: list[Compound]
    states: Sequence[list[Compound]] = ()
    orders: Orders = ()

    def on(self, board: Board) -> _Facts:
        others = [on_board(facts, board) for facts in self.states]
        return replace(self, state=on_board(self.state, board), ever=on_board(self.ever, board), states=others)


def find_layout(facts: Iterable[Term], possible: Iterable[Term] = ()) -> Layout | None:
    """Find the largest grid in a state, if it is a single board; arguments as for `find_layouts`."""
    boards = _largest(_by_relation(facts, possible, ()))
    return boards[0] if len(boards) == 1 else None


def find_layouts(
    facts: Iterable[Term],
    possible: Iterable[Term] = (),
    states: Sequence[Iterable[Term]] = (),
    orders: Orders = (),
) -> tuple[Layout, ...]:
    """Find all boards: the largest grid, and the boards of each relation with a fact for every cell.

    `possible` are facts that may become true; `states` are other known states of the game; `orders` are sequences of
    words that may be the names of a board's columns or rows.
    """
    every = _by_relation(facts, possible, states, orders)
    found = _largest(every)
    for relation, own in sorted(every.items()):
        if not found or relation != found[0].relation:
            found += _full_boards(relation, own)
    return tuple(found)


def _largest(every: Mapping[tuple[str, int], _Facts]) -> list[Layout]:
    """Return the largest grid, or the boards of one relation that are larger in total."""
    found = [(boards, len(own.state)) for relation, own in every.items() if (boards := _boards(relation, own))]
    return max(found, key=lambda one: (not one[0][0].marked, _size(one[0]), one[1]))[0] if found else []


def _boards(relation: tuple[str, int], own: _Facts) -> list[Layout]:
    """Return the grid of a relation, else its several boards; empty if the relation has neither."""
    single = _grid_of(relation, own)
    if single:
        return [single]
    return next((boards for boards in _splits(relation, own) if _covered(boards, own)), [])


def _full_boards(relation: tuple[str, int], own: _Facts) -> list[Layout]:
    """Return the boards of a relation if the state has a fact for each of their cells."""
    single = _grid_of(relation, own)
    if single and single.size == len(own.state):
        return [single]
    return next((boards for boards in _splits(relation, own) if _size(boards) == len(own.state)), [])


def _splits(relation: tuple[str, int], own: _Facts) -> Iterable[list[Layout]]:
    """Yield the ways to split a relation into boards of one shape; fewer arguments first, then larger boards."""
    for more in (1, 2):
        if relation[1] > 2 + more:
            found = [
                boards
                for indices in combinations(range(relation[1]), more)
                if (boards := _split(relation, indices, own))
            ]
            yield from sorted(found, key=lambda boards: -min(len(boards[0].columns), len(boards[0].rows)))


def _split(relation: tuple[str, int], indices: Sequence[int], own: _Facts) -> list[Layout]:
    """Return one board for each combination of values of some arguments; empty if these are not boards."""
    lines = [_ordered({str(fact.arguments[index]) for fact in own.ever}) for index in indices]
    many = 1
    for line in lines:
        many *= len(line)
    if not 2 <= many <= MAX_BOARDS or any(len(line) < 2 for line in lines):
        return []
    boards: list[Layout] = []
    for values in product(*lines):
        here = tuple(zip(indices, values, strict=True))
        board = _grid_of(relation, replace(own.on(here), ever=own.ever), here)
        if board is None or (boards and (board.across, board.up) != (boards[0].across, boards[0].up)):
            return []
        boards.append(board)
    return boards


def _ordered(values: set[str]) -> list[str]:
    numbers = {name: int(name) for name in values if (match := NUMBERED.fullmatch(name)) and match[2] == name}
    return sorted(values, key=lambda name: (name not in numbers, numbers.get(name, 0), name))


def _size(boards: Sequence[Layout]) -> int:
    return sum(board.size for board in boards)


def _covered(boards: Sequence[Layout], own: _Facts) -> bool:
    """Whether enough cells of the boards occur in facts."""
    first = boards[0]
    coordinates = [first.across, first.up, *(index for index, _ in first.board)]
    named = {tuple(str(fact.arguments[index]) for index in coordinates) for fact in own.ever}
    return len(named) >= COVERED * _size(boards)


def _by_relation(
    facts: Iterable[Term], possible: Iterable[Term], states: Sequence[Iterable[Term]], orders: Orders = ()
) -> dict[tuple[str, int], _Facts]:
    """Group the facts of all states by relation; the state's relations come first."""
    state, ever = grouped(facts), grouped(possible)
    others = [grouped(other) for other in states]
    names = dict.fromkeys([*state, *ever, *(name for other in others for name in other)])
    return {
        name: _Facts(
            own := state.get(name, []),
            list(
                dict.fromkeys([*own, *ever.get(name, []), *(fact for other in others for fact in other.get(name, []))])
            ),
            [other[name] for other in others if name in other],
            orders,
        )
        for name in names
    }


def _grid_of(relation: tuple[str, int], own: _Facts, board: Board = ()) -> Layout | None:
    """Return the grid of a relation.

    Among several coordinate pairs, a pair with a fact for each cell is preferred, then one with more cells.
    """
    taken = {index for index, _ in board}
    free = [index for index in range(relation[1]) if index not in taken]
    pairs = [*combinations(free, 2), *((index, index) for index in free if relation[1] > 1)]
    layouts = [layout for pair in pairs if (layout := _layout(relation, pair, own, board))]
    return max(
        layouts,
        key=lambda one: (
            not one.joined,
            one.size == len(own.state),
            abs(one.across - one.up) == 1,
            one.size,
            -one.across - one.up,
        ),
        default=None,
    )


def _layout(relation: tuple[str, int], pair: Pair, own: _Facts, board: Board) -> Layout | None:
    check()
    states = (own.state, *own.states)
    if relation[1] < 2 or not all(_alone(facts, pair) for facts in states) or max(map(len, states)) == 1:
        return None
    places = {place_of(fact, *pair) for fact in own.ever}
    columns, rows = (_line({place[half] for place in places}, own.orders) for half in (0, 1))
    if not columns or not rows:
        return None
    size = len(columns) * len(rows)
    unsaid = len({*pair}) + len(board) == relation[1]  # cells without contents
    if unsaid and (
        min(len(columns), len(rows)) < MIN_MARKED or len(places) < COVERED * size or not _spread(states, pair)
    ):
        return None
    if pair[0] == pair[1] and (("", "") in places or unsaid or min(len(columns), len(rows)) < MIN_MARKED):
        return None
    contents = {content_of(fact, *pair, *(index for index, _ in board)) for fact in own.ever}
    if pair[0] != pair[1] and _turned(columns, rows):
        pair, columns, rows = (pair[1], pair[0]), rows, columns
    downward = _word(rows[0]) in DOWNWARD
    return Layout(relation, *pair, columns, rows if downward else rows[::-1], _symbols(contents), board)


def _alone(facts: Sequence[Compound], pair: Pair) -> bool:
    """Whether (almost) no two facts name the same cell."""
    return len({place_of(fact, *pair) for fact in facts}) >= len(facts) - len(facts) // SPARE


def _spread(states: Sequence[Sequence[Compound]], pair: Pair) -> bool:
    """Whether some column and some row have two cells in a state; otherwise the relation only maps names to numbers."""
    lines = [[str(fact.arguments[index]) for fact in facts] for index in pair for facts in states]
    return all(any(len(line) > len({*line}) for line in half) for half in (lines[: len(states)], lines[len(states) :]))


def _turned(columns: tuple[str, ...], rows: tuple[str, ...]) -> bool:
    """Whether the names show that the second coordinate is the column, as in ``(cell 1 a)`` or ``(cell row1 col1)``."""
    if columns[0][-1].isdigit() and rows[0].isalpha():
        return True
    return _word(columns[0]) in (*DOWNWARD, "y") and _word(rows[0]) in ACROSS


def _word(name: str) -> str:
    found = NUMBERED.fullmatch(name)
    return found[1].lower() if found else ""


def _line(names: set[str], orders: Orders) -> tuple[str, ...]:
    """Sort 2 to MAX_SIDE coordinates: numbers, letters, numbered words or words of an order; else empty."""
    if not 2 <= len(names) <= MAX_SIDE:
        return ()
    if not all(len(name) == 1 or name[-1:].isdigit() for name in names):
        order = next((order for order in orders if len(order) >= MIN_ORDER and names <= set(order)), ())
        return tuple(name for name in order if name in names)
    if all(len(name) == 1 and name.isalpha() for name in names):
        return tuple(sorted(names))
    found = {name: NUMBERED.fullmatch(name) for name in names}
    if not all(found.values()) or len({match[1] for match in found.values() if match}) != 1:
        return ()
    return tuple(sorted(names, key=lambda name: int(match[2]) if (match := found[name]) else 0))


def _symbols(contents: set[str]) -> dict[str, str]:
    """Map each content to its shortest unique prefix, and blanks to a point, all padded to the same width."""
    short = _beginnings(contents - BLANKS) | dict.fromkeys(contents & BLANKS, ".")
    width = max(map(len, short.values()))
    return {content: short[content].rjust(width) for content in sorted(contents)}


def _beginnings(contents: set[str]) -> dict[str, str]:
    """Map each content to its shortest unique prefix; in sorted order, only neighbours can share a longer one."""
    every = sorted(contents)
    shared = [0, *(_alike(*pair) for pair in pairwise(every)), 0]
    return {content: content[: max(near) + 1] for content, near in zip(every, pairwise(shared), strict=False)}


def _alike(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
