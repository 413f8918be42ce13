"""Boards with several things in one cell: ``(location pacman 3 4) (location pellet 3 4)``.

In such a game, no relation has exactly one fact per cell, but facts of some relations name cells by two numbers in
adjacent arguments. The range of the numbers gives the size of the board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.boards.layout import Grouped, Layout, grouped
from agent.boards.walls import is_wall
from reasoner.language.terms import Compound, Term

MAX_FACTS_OF_CELL = 6
"""Maximum facts of one relation that name the same cell."""
MIN_SIDE, MAX_SIDE = 3, 30
MAX_ARITY = 4
NUMBERED = re.compile(r"([a-z]*?)([0-9]{1,18})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Places:
    """A relation whose facts name cells: index of the first cell argument, facts, and their number in all states."""

    relation: tuple[str, int]
    at: int
    facts: Sequence[Compound]
    seen: int

    def line(self, half: int) -> set[str]:
        return {str(fact.arguments[self.at + half]) for fact in self.facts}


def crowded_layout(states: Sequence[Iterable[Term]], ever: Grouped, grids: Sequence[Layout]) -> Layout | None:
    """Return the board of the relation that names cells and has the most facts; None if there is none.

    If the first of `grids` has contents and is not made of walls, return None.
    """
    if grids and not grids[0].marked and not is_wall(grids[0].relation[0]):
        return None
    every = [grouped(state) for state in states]
    found = [place for relation, facts in sorted(ever.items()) if (place := _places(relation, facts, every))]
    told = [place for place in found if place.relation[1] > 2]
    if not told:
        return None
    best = max(told, key=lambda place: place.seen)
    columns, rows = (range_of(word for place in found for word in place.line(half)) for half in (0, 1))
    if min(len(columns), len(rows)) < (MIN_SIDE if grids or _sparse(best, every, len(columns) * len(rows)) else 2):
        return None
    made = Layout(best.relation, best.at, best.at + 1, columns, rows[::-1], {})
    contents = sorted({made.content(fact) for fact in best.facts})
    return Layout(best.relation, best.at, best.at + 1, columns, rows[::-1], {content: content for content in contents})


def _sparse(best: _Places, every: Sequence[Grouped], cells: int) -> bool:
    """Whether some state has no fact for some cell."""
    named = (
        {tuple(map(str, fact.arguments[best.at : best.at + 2])) for fact in state.get(best.relation, ())}
        for state in every
    )
    return any(len(own) < cells for own in named)


def range_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of all numbers from the least to the greatest, with their prefix; empty if prefixes differ."""
    found = {word: NUMBERED.fullmatch(word) for word in words}
    if not found or not all(found.values()) or len({match[1] for match in found.values() if match}) > 1:
        return ()
    numbers = sorted(int(match[2]) for match in found.values() if match)
    if numbers[-1] - numbers[0] >= MAX_SIDE:
        return ()
    (word,) = {match[1] for match in found.values() if match}
    return tuple(f"{word}{number}" for number in range(numbers[0], numbers[-1] + 1))


def _places(relation: tuple[str, int], facts: Sequence[Compound], every: Sequence[Grouped]) -> _Places | None:
    """Return the places of a relation by its first two adjacent arguments that are coordinates, else None."""
    if not 2 <= relation[1] <= MAX_ARITY:
        return None
    states = [state.get(relation, []) for state in every]
    for at in range(relation[1] - 1):
        places = _Places(relation, at, facts, sum(map(len, states)))
        if all(range_of(places.line(half)) for half in (0, 1)) and _plane(places) and _few(places, states):
            return places
    return None


def _plane(places: _Places) -> bool:
    """Whether a column and a row have several cells; if not, the facts map names to numbers and name no cells."""
    cells = {tuple(map(str, fact.arguments[places.at : places.at + 2])) for fact in places.facts}
    return all(max(Counter(cell[half] for cell in cells).values()) > 1 for half in (0, 1))


def _few(places: _Places, states: Sequence[Sequence[Compound]]) -> bool:
    cells = [Counter(tuple(map(str, fact.arguments[places.at : places.at + 2])) for fact in state) for state in states]
    return all(max(counts.values(), default=0) <= MAX_FACTS_OF_CELL for counts in cells)
