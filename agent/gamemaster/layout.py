"""Where a board is among the facts of a state, and what stands on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.gamemaster.patience import check
from reasoner.language.terms import Compound, Term

Grouped = Mapping[tuple[str, int], Sequence[Compound]]
"""Facts by relation."""
BLANKS = frozenset({"b", "blank", "empty", "none", "nil", "free"})
JOINED = re.compile(r"([a-z]+)([0-9]+)", re.IGNORECASE)
"""A cell named by one word: ``e4``."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the grid is: a relation, the positions of its two coordinates, and its lines and symbols.

    Both coordinates may stand in one argument, ``(cell e4 pawn)``: then `across` equals `up`. A relation without
    contents, ``(marked 1 2)``, has its own name as the content. Cells that lie in no lines (`spots`) are the columns of
    one row without a name; `across` and `up` are the argument that names them.
    """

    relation: tuple[str, int]  # functor and arity
    across: int
    up: int
    columns: tuple[str, ...]  # left to right
    rows: tuple[str, ...]  # top to bottom
    symbols: Mapping[str, str]  # content to what is shown, all of one width
    board: tuple[tuple[int, str], ...] = ()  # the arguments that tell boards apart, and their values on this one
    spots: tuple[tuple[float, float], ...] = ()  # where each column's one cell lies, where cells are in no lines
    ways: tuple[tuple[int, int], ...] = ()  # columns whose cells are neighbours then

    @property
    def title(self) -> str:
        """What the board is called: its relation, and which of its boards it is."""
        return " ".join([self.relation[0], *(value for _, value in self.board)])

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.columns) * len(self.rows)

    @property
    def joined(self) -> bool:
        """Whether one word names a cell's two lines."""
        return self.across == self.up and not self.spots

    @property
    def marked(self) -> bool:
        """Whether facts say of a cell only that they are true of it."""
        return self.relation[1] == len({self.across, self.up}) + len(self.board)

    def cells(self, facts: Iterable[Term]) -> list[list[str]]:
        """The contents row by row from the top; empty text where no fact names the cell, blank where others do, too."""
        check()
        found: dict[tuple[str, str], str] = {}
        for fact in self._own(facts):
            content, place = self.content(fact), self.place(fact)
            if content not in BLANKS or place not in found:
                found[place] = content
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

    def holds(self, fact: Term) -> bool:
        """Whether a fact is of this board."""
        name, arity = self.relation
        if not isinstance(fact, Compound) or fact.functor != name or len(fact.arguments) != arity:
            return False
        return not self.board or all(str(fact.arguments[index]) == value for index, value in self.board)

    def content(self, fact: Compound) -> str:
        """What a fact of this board says to stand in its cell."""
        return content_of(fact, self.across, self.up, *(index for index, _ in self.board))

    def spelling(self, column: str, row: str) -> tuple[str, ...]:
        """How facts spell a cell: its coordinates, and its board's, in the order in which they stand."""
        if self.across == self.up:
            return (column + row,)
        parts = {self.across: column, self.up: row, **dict(self.board)}
        return tuple(parts[index] for index in sorted(parts))

    def place(self, fact: Compound) -> tuple[str, str]:
        """The column and row of the cell that a fact of this board names."""
        return (str(fact.arguments[self.across]), "") if self.spots else place_of(fact, self.across, self.up)

    def _own(self, facts: Iterable[Term]) -> list[Compound]:
        own = [fact for fact in facts if isinstance(fact, Compound) and relation_of(fact) == self.relation]
        return on_board(own, self.board)


def place_of(fact: Compound, across: int, up: int) -> tuple[str, str]:
    """The cell that a fact names; two empty words where the one word is no cell."""
    if across != up:
        return str(fact.arguments[across]), str(fact.arguments[up])
    found = JOINED.fullmatch(str(fact.arguments[across]))
    return (found[1], found[2]) if found else ("", "")


def content_of(fact: Compound, *coordinates: int) -> str:
    """What stands in the cell that `fact` names: the arguments that are no coordinates, or its relation's name."""
    words = [str(part) for index, part in enumerate(fact.arguments) if index not in coordinates]
    return "-".join(words) if words else fact.functor


def on_board(facts: Iterable[Compound], board: tuple[tuple[int, str], ...]) -> list[Compound]:
    """The facts with these values of arguments."""
    return [fact for fact in facts if all(str(fact.arguments[index]) == value for index, value in board)]


def relation_of(fact: Compound) -> tuple[str, int]:
    """Functor and arity."""
    return fact.functor, len(fact.arguments)


def grouped(facts: Iterable[Term]) -> dict[tuple[str, int], list[Compound]]:
    """The facts that have arguments, by relation."""
    found: dict[tuple[str, int], list[Compound]] = {}
    for fact in facts:
        if isinstance(fact, Compound):
            found.setdefault(relation_of(fact), []).append(fact)
    return found
