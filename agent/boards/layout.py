"""Layout of a board in the facts of a state, and its contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.boards.time_limit import check
from reasoner.language.terms import Compound, Term

Grouped = Mapping[tuple[str, int], Sequence[Compound]]
"""Facts by relation."""
BLANKS = frozenset({"b", "blank", "empty", "none", "nil", "free"})
JOINED = re.compile(r"([a-z]+)([0-9]{1,18})", re.IGNORECASE)
"""A cell named by one word: ``e4``."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A board: a relation of cells, the argument indices of its coordinates, its columns and rows, and its symbols.

    One argument may contain both coordinates, ``(cell e4 pawn)``: then `across` equals `up`. A relation without
    contents, ``(marked 1 2)``, uses its own name as the content. A board with `spots` has no grid: its cells are the
    columns of one unnamed row. The arguments `across` and `up` (one, if they are equal) then name the cell; two words
    are joined by a space, as "outer ne" in ``(pit outer ne black)``.
    """

    relation: tuple[str, int]  # functor and arity
    across: int  # index of the argument with the column
    up: int  # index of the argument with the row
    columns: tuple[str, ...]  # left to right
    rows: tuple[str, ...]  # top to bottom
    symbols: Mapping[str, str]  # symbol of each content, all of one width
    board: tuple[tuple[int, str], ...] = ()  # arguments that identify this board, and their values
    spots: tuple[tuple[float, float], ...] = ()  # position in the picture of each cell outside a grid
    ways: tuple[tuple[int, int], ...] = ()  # pairs of adjacent cells outside a grid
    height: int = -1  # index of the argument with the height of a thing in a pile; negative if cells have no piles
    levels: tuple[str, ...] = ()  # heights from the bottom

    @property
    def title(self) -> str:
        """The board's title: its relation and the values that identify it."""
        return " ".join([self.relation[0], *(value for _, value in self.board)])

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.columns) * len(self.rows)

    @property
    def joined(self) -> bool:
        """Whether one word contains both coordinates."""
        return self.across == self.up and not self.spots

    @property
    def marked(self) -> bool:
        """Whether facts only mark cells, without contents."""
        return self.relation[1] == len({self.across, self.up}) + len(self.board)

    def cells(self, facts: Iterable[Term]) -> list[list[str]]:
        """Return the contents of the cells, row by row from the top; an empty text for a cell without a fact.

        If a cell has a blank and another content, the other content counts.
        """
        check()
        found: dict[tuple[str, str], str] = {}
        for fact in self.downward(self._own(facts))[::-1] if self.levels else self._own(facts):
            content, place = self.content(fact), self.place(fact)
            if content not in BLANKS or place not in found:
                found[place] = content
        return [[found.get((column, row), "") for column in self.columns] for row in self.rows]

    def others(self, facts: Iterable[Term]) -> list[str]:
        """Return the facts that are not in the grid, as sorted text."""
        return sorted(map(str, self.rest(facts)))

    def rest(self, facts: Iterable[Term]) -> list[Term]:
        """Return the facts that are not in the grid, in the given order."""
        every = list(facts)
        own = set(self._own(every))
        return [fact for fact in every if fact not in own]

    def legend(self) -> str:
        """Explain the symbols that are abbreviations."""
        return ", ".join(f"{short.strip()} {long}" for long, short in self.symbols.items() if short.strip() != long)

    def holds(self, fact: Term) -> bool:
        """Whether a fact belongs to this board."""
        name, arity = self.relation
        if not isinstance(fact, Compound) or fact.functor != name or len(fact.arguments) != arity:
            return False
        return not self.board or all(str(fact.arguments[index]) == value for index, value in self.board)

    def content(self, fact: Compound) -> str:
        """Return the content of the cell in a fact of this board."""
        return content_of(fact, self.across, self.up, self.height, *(index for index, _ in self.board))

    def level(self, fact: Compound) -> str:
        """Return the height in a fact of a board with piles."""
        return str(fact.arguments[self.height])

    def downward(self, facts: Iterable[Compound]) -> list[Compound]:
        """Return the facts of a board with piles from the highest to the lowest."""
        place = {level: number for number, level in enumerate(self.levels)}
        return sorted(facts, key=lambda fact: -place.get(self.level(fact), 0))

    def spelling(self, column: str, row: str) -> tuple[str, ...]:
        """Return the arguments of a cell in facts: the coordinates and the values of the board, in argument order."""
        if self.across == self.up:
            return (column + row,)
        if self.spots:
            return tuple(column.split())
        parts = {self.across: column, self.up: row, **dict(self.board)}
        return tuple(parts[index] for index in sorted(parts))

    def place(self, fact: Compound) -> tuple[str, str]:
        """Return the column and row of the cell in a fact of this board."""
        if self.spots:
            return " ".join(str(fact.arguments[index]) for index in sorted({self.across, self.up})), ""
        return place_of(fact, self.across, self.up)

    def _own(self, facts: Iterable[Term]) -> list[Compound]:
        own = [fact for fact in facts if isinstance(fact, Compound) and relation_of(fact) == self.relation]
        return on_board(own, self.board)


def place_of(fact: Compound, across: int, up: int) -> tuple[str, str]:
    """Return the column and row words of the cell that a fact names; two empty texts if it names none."""
    if across != up:
        return str(fact.arguments[across]), str(fact.arguments[up])
    found = JOINED.fullmatch(str(fact.arguments[across]))
    return (found[1], found[2]) if found else ("", "")


def content_of(fact: Compound, *coordinates: int) -> str:
    """Return a cell's content: the arguments other than `coordinates`, or the relation's name if there are none."""
    words = [str(part) for index, part in enumerate(fact.arguments) if index not in coordinates]
    return "-".join(words) if words else fact.functor


def on_board(facts: Iterable[Compound], board: tuple[tuple[int, str], ...]) -> list[Compound]:
    """Return the facts of one board; `board`: the arguments that identify it, by index, and their values."""
    return [fact for fact in facts if all(str(fact.arguments[index]) == value for index, value in board)]


def relation_of(fact: Compound) -> tuple[str, int]:
    """Return the functor and the arity of a fact."""
    return fact.functor, len(fact.arguments)


def grouped(facts: Iterable[Term]) -> dict[tuple[str, int], list[Compound]]:
    """Group the facts by relation; omit facts without arguments."""
    found: dict[tuple[str, int], list[Compound]] = {}
    for fact in facts:
        if isinstance(fact, Compound):
            found.setdefault(relation_of(fact), []).append(fact)
    return found
