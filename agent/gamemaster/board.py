"""A game's state as a picture: a grid where the facts look like one, and the other facts by relation.

A relation looks like a grid when two of its arguments are coordinates (numbers or letters) that meet at most once
in a state: ``(cell 1 2 b)``. A relation with one argument more, ``(cell left 1 2 b)``, is several boards, one for each
value of it. Nothing is known of the game; a wrong guess shows an odd picture and does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from reasoner.language.terms import Compound, Term

MAX_SIDE = 30  # cells; larger pictures do not fit a terminal
MAX_BOARDS = 9  # that one relation is split into
BLANKS = frozenset({"b", "blank", "empty", "none", "nil", "free"})


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the grid is: a relation, the positions of its two coordinates, and its lines and symbols."""

    relation: tuple[str, int]  # functor and arity
    across: int
    up: int
    columns: tuple[str, ...]  # left to right
    rows: tuple[str, ...]  # top to bottom
    symbols: Mapping[str, str]  # content to what is shown, all of one width
    board: tuple[int, str] | None = None  # the argument that tells boards apart, and its value on this one

    @property
    def title(self) -> str:
        """What the board is called: its relation, and which of its boards it is."""
        return self.relation[0] if self.board is None else f"{self.relation[0]} {self.board[1]}"

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.columns) * len(self.rows)

    def cells(self, facts: Iterable[Term]) -> list[list[str]]:
        """The contents row by row from the top; empty text where no fact names the cell."""
        found = {self._place(fact): self._content(fact) for fact in self._own(facts)}
        return [[found.get((column, row), "") for column in self.columns] for row in self.rows]

    def others(self, facts: Iterable[Term]) -> list[str]:
        """The facts that are not in the grid, as sorted text."""
        return sorted(map(str, self.rest(facts)))

    def rest(self, facts: Iterable[Term]) -> list[Term]:
        """The facts that are not in the grid, in their order."""
        every = list(facts)
        own = set(self._own(every))
        return [fact for fact in every if fact not in own]

    def legend(self) -> str:
        """What the symbols stand for, where they are abbreviations."""
        return ", ".join(f"{short.strip()} {long}" for long, short in self.symbols.items() if short.strip() != long)

    def _own(self, facts: Iterable[Term]) -> list[Compound]:
        own = [fact for fact in facts if isinstance(fact, Compound) and _relation(fact) == self.relation]
        return own if self.board is None else _on_board(own, *self.board)

    def _content(self, fact: Compound) -> str:
        return content_of(fact, self.across, self.up, *(self.board or ())[:1])

    def _place(self, fact: Compound) -> tuple[str, str]:
        return str(fact.arguments[self.across]), str(fact.arguments[self.up])


def find_layout(facts: Iterable[Term], possible: Iterable[Term] = ()) -> Layout | None:
    """The largest grid among the facts of a state; `possible` are facts that may become true, where that is known."""
    state = _by_relation(facts)
    grids = [
        (grid, len(state.get(relation, [])))
        for relation, found in _all_of(state, possible).items()
        if (grid := _grid_of(relation, found, state.get(relation, [])))
    ]
    return max(grids, key=lambda one: (one[0].size, one[1]))[0] if grids else None


def find_layouts(facts: Iterable[Term], possible: Iterable[Term] = ()) -> tuple[Layout, ...]:
    """Every board: the largest grid, and each relation that has a fact for every cell of its board or boards."""
    state, ever = _by_relation(facts), list(possible)
    every = _all_of(state, ever)
    largest = find_layout((fact for found in state.values() for fact in found), ever)
    found = [largest] if largest else []
    for relation, own in sorted(state.items()):
        if largest is None or relation != largest.relation:
            found += _full_boards(relation, every[relation], own)
    return tuple(found)


def _full_boards(relation: tuple[str, int], found: list[Compound], state: list[Compound]) -> list[Layout]:
    """The boards of a relation where the state has a fact for each of their cells, else none."""
    single = _grid_of(relation, found, state)
    if single and single.size == len(state):
        return [single]
    if relation[1] < 4:
        return []
    splits = (_split(relation, index, found, state) for index in range(relation[1]))
    return next((boards for boards in splits if boards and sum(one.size for one in boards) == len(state)), [])


def _split(relation: tuple[str, int], index: int, found: list[Compound], state: list[Compound]) -> list[Layout]:
    """A board for each value of one argument, all of them alike; none where that cannot be."""
    values = {str(fact.arguments[index]) for fact in state}
    if not 2 <= len(values) <= MAX_BOARDS:
        return []
    boards: list[Layout] = []
    for value in sorted(values, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)):
        here = (index, value)
        board = _grid_of(relation, _on_board(found, *here), _on_board(state, *here), here)
        if board is None or (boards and _shape(board) != _shape(boards[0])):
            return []
        boards.append(board)
    return boards


def _shape(board: Layout) -> tuple[int, int, tuple[str, ...], tuple[str, ...]]:
    return board.across, board.up, board.columns, board.rows


def _on_board(facts: Iterable[Compound], index: int, value: str) -> list[Compound]:
    return [fact for fact in facts if str(fact.arguments[index]) == value]


def _by_relation(facts: Iterable[Term]) -> dict[tuple[str, int], list[Compound]]:
    found: dict[tuple[str, int], list[Compound]] = {}
    for fact in facts:
        if isinstance(fact, Compound):
            found.setdefault(_relation(fact), []).append(fact)
    return found


def _all_of(
    state: Mapping[tuple[str, int], list[Compound]], possible: Iterable[Term]
) -> dict[tuple[str, int], list[Compound]]:
    """The facts of a state and those that may become true, by relation; the state's relations come first."""
    every = {relation: list(found) for relation, found in state.items()}
    for relation, found in _by_relation(possible).items():
        every.setdefault(relation, []).extend(found)
    return every


def _grid_of(
    relation: tuple[str, int], found: list[Compound], state: list[Compound], board: tuple[int, str] | None = None
) -> Layout | None:
    """The grid of one relation: a pair of coordinates with a fact for each cell, else the pair with most cells."""
    pairs = combinations([index for index in range(relation[1]) if board is None or index != board[0]], 2)
    layouts = [layout for across, up in pairs if (layout := _layout(relation, (across, up), found, state, board))]
    return max(layouts, key=lambda one: (one.size == len(state), one.size, -one.across - one.up), default=None)


def content_of(fact: Compound, *coordinates: int) -> str:
    """What stands in the cell that `fact` names: the arguments that are no coordinates."""
    return "-".join(str(a) for index, a in enumerate(fact.arguments) if index not in coordinates)


def _layout(
    relation: tuple[str, int],
    pair: tuple[int, int],
    found: list[Compound],
    state: list[Compound],
    board: tuple[int, str] | None,
) -> Layout | None:
    across, up = pair
    places = [(str(fact.arguments[across]), str(fact.arguments[up])) for fact in state]
    if relation[1] < 3 or len(places) != len(set(places)):
        return None
    columns = _line({str(fact.arguments[across]) for fact in found})
    rows = _line({str(fact.arguments[up]) for fact in found})
    if not columns or not rows:
        return None
    contents = {content_of(fact, across, up, *(board or ())[:1]) for fact in found}
    return Layout(relation, across, up, columns, rows[::-1], _symbols(contents), board)


def _line(names: set[str]) -> tuple[str, ...]:
    """The coordinates in order, or nothing when they are not 2 to MAX_SIDE numbers or single letters."""
    if not 2 <= len(names) <= MAX_SIDE:
        return ()
    if all(name.isdigit() for name in names):
        return tuple(sorted(names, key=int))
    return tuple(sorted(names)) if all(len(name) == 1 for name in names) else ()


def _symbols(contents: set[str]) -> dict[str, str]:
    """For each content its shortest beginning that no other has, a point for blanks, padded to one width."""
    short = {content: "." if content in BLANKS else _beginning(content, contents - BLANKS) for content in contents}
    width = max(map(len, short.values()))
    return {content: short[content].rjust(width) for content in sorted(contents)}


def _beginning(content: str, contents: set[str]) -> str:
    for length in range(1, len(content)):
        if sum(other.startswith(content[:length]) for other in contents) == 1:
            return content[:length]
    return content


def _relation(fact: Compound) -> tuple[str, int]:
    return fact.functor, len(fact.arguments)
