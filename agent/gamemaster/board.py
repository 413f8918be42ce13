"""A game's state as a picture: a grid where the facts look like one, and the other facts by relation.

A relation looks like a grid when two of its arguments are coordinates (numbers or letters) that meet at most once
in a state: ``(cell 1 2 b)``. Nothing is known of the game; a wrong guess shows an odd picture and does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from reasoner.language.terms import Compound, Term

MAX_SIDE = 30  # cells; larger pictures do not fit a terminal
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

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.columns) * len(self.rows)

    def cells(self, facts: Iterable[Term]) -> list[list[str]]:
        """The contents row by row from the top; empty text where no fact names the cell."""
        found = {self._place(fact): content_of(fact, self.across, self.up) for fact in self._own(facts)}
        return [[found.get((column, row), "") for column in self.columns] for row in self.rows]

    def others(self, facts: Iterable[Term]) -> list[str]:
        """The facts that are not in the grid, as sorted text."""
        own = set(self._own(facts))
        return sorted(str(fact) for fact in facts if fact not in own)

    def legend(self) -> str:
        """What the symbols stand for, where they are abbreviations."""
        return ", ".join(f"{short.strip()} {long}" for long, short in self.symbols.items() if short.strip() != long)

    def _own(self, facts: Iterable[Term]) -> list[Compound]:
        return [fact for fact in facts if isinstance(fact, Compound) and _relation(fact) == self.relation]

    def _place(self, fact: Compound) -> tuple[str, str]:
        return str(fact.arguments[self.across]), str(fact.arguments[self.up])


def find_layout(facts: Iterable[Term], possible: Iterable[Term] = ()) -> Layout | None:
    """The largest grid among the facts of a state; `possible` are facts that may become true, where that is known."""
    state: dict[tuple[str, int], list[Compound]] = {}
    for fact in facts:
        if isinstance(fact, Compound):
            state.setdefault(_relation(fact), []).append(fact)
    every = {relation: list(found) for relation, found in state.items()}
    for fact in possible:
        if isinstance(fact, Compound):
            every.setdefault(_relation(fact), []).append(fact)
    grids = [
        (grid, len(state.get(relation, [])))
        for relation, found in every.items()
        if (grid := _grid_of(relation, found, state.get(relation, [])))
    ]
    return max(grids, key=lambda one: (one[0].size, one[1]))[0] if grids else None


def _grid_of(relation: tuple[str, int], found: list[Compound], state: list[Compound]) -> Layout | None:
    """The grid of one relation: a pair of coordinates with a fact for each cell, else the pair with most cells."""
    pairs = combinations(range(relation[1]), 2)
    layouts = [layout for across, up in pairs if (layout := _layout(relation, across, up, found, state))]
    return max(layouts, key=lambda one: (one.size == len(state), one.size, -one.across - one.up), default=None)


def content_of(fact: Compound, across: int, up: int) -> str:
    """What stands in the cell that `fact` names: the arguments that are no coordinates."""
    return "-".join(str(a) for index, a in enumerate(fact.arguments) if index not in (across, up))


def _layout(
    relation: tuple[str, int], across: int, up: int, found: list[Compound], state: list[Compound]
) -> Layout | None:
    places = [(str(fact.arguments[across]), str(fact.arguments[up])) for fact in state]
    if relation[1] < 3 or len(places) != len(set(places)):
        return None
    columns = _line({str(fact.arguments[across]) for fact in found})
    rows = _line({str(fact.arguments[up]) for fact in found})
    if not columns or not rows:
        return None
    contents = {content_of(fact, across, up) for fact in found}
    return Layout(relation, across, up, columns, rows[::-1], _symbols(contents))


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
