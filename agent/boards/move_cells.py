"""Cells that a move names, so that it can be clicked on the board.

Adjacent arguments that are coordinates name a cell; with several boards, the board's name is one more argument. A move
with one cell is a placement; a move with two cells is a step from the first to the second. The board is guessed from
the contents of the cells: all legal moves of one name usually start in cells with one kind of content.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product

from agent.boards.layout import BLANKS, Layout
from agent.boards.pictures import MoveView
from agent.boards.terms import term_of, words_of

Place = tuple[int, int, int]
"""Board, column and row numbers, all from 0."""
Line = tuple[str, ...]
MAX_MOVES = 3_000
"""Maximum moves of one role whose cells are found; more moves are only listed."""
KEPT = 64
"""Boards whose cell spellings are cached."""


def places(
    moves: Sequence[str], facts: Sequence[str], layouts: Sequence[Layout], starts: Mapping[str, int] | None = None
) -> list[MoveView]:
    """Return each move with its ``cells`` as ``[board, column, row]``, and its ``column`` if no other one names it.

    `starts` is the index of the first argument that names a cell, by move name (`agent.boards.move_starts`).

    A move whose only argument is a content names the cell with this content, if only one cell has it: ``(slide 5)``.
    """
    if len(moves) > MAX_MOVES:
        return [{"move": move, "cells": [], "column": None} for move in moves]
    boards = _Boards(layouts, facts)
    words = [_skipped(words_of(move), starts or {}) for move in moves]
    chosen = boards.relations(words)
    shown: list[MoveView] = []
    for move, (name, *rest) in zip(moves, words, strict=True):
        cells = [] if len(rest) == 1 else boards.cells(name, rest, chosen)
        column = None
        if len(rest) == 1:
            cells, column = boards.named(rest[0])
        shown.append({"move": move, "cells": [list(cell) for cell in cells], "column": column})
    named = Counter(one["column"] for one in shown)
    return [one if named[one["column"]] == 1 else {**one, "column": None} for one in shown]


def _skipped(words: list[str], starts: Mapping[str, int]) -> list[str]:
    """Remove the arguments before the first cell."""
    return [words[0], *words[1 + starts[words[0]] :]] if words[0] in starts else words


class _Boards:
    """The boards of one position, indexed by the spelling of their cells."""

    def __init__(self, layouts: Sequence[Layout], facts: Sequence[str]) -> None:
        self._layouts, self._facts = layouts, facts
        self._spelled = [
            _spelled(number, one.columns, one.rows, one.across, one.up, one.board, one.spots)
            for number, one in enumerate(layouts)
        ]
        self._lengths = sorted({len(_spelling(layout, 0, 0)) for layout in layouts}, reverse=True)

    @cached_property
    def _contents(self) -> list[list[list[str]]]:
        terms = [term_of(fact) for fact in self._facts]
        return [layout.cells(terms) for layout in self._layouts]

    def named(self, word: str) -> tuple[list[Place], int | None]:
        """Return the cell with content `word`, if there is only one, or the cell or column `word` of a single board."""
        if any(word in layout.symbols for layout in self._layouts):
            found = [
                (number, x, y)
                for number, rows in enumerate(self._contents)
                for y, row in enumerate(rows)
                for x, content in enumerate(row)
                if content == word
            ]
            return (found if len(found) == 1 else []), None
        if len(self._layouts) == 1 and word in self._layouts[0].columns:
            column = self._layouts[0].columns.index(word)
            return ([(0, column, 0)], None) if self._layouts[0].spots else ([], column)
        return [], None

    def cells(self, name: str, words: Sequence[str], chosen: dict[tuple[str, int], str]) -> list[Place]:
        """Return the cells of one move; each is on a board of the relation that `chosen` has for its argument."""
        found: list[Place] = []
        index = 0
        while index < len(words):
            here = self._at(words, index)
            relation = chosen.get((name, index))
            place = next((place for place in here if self._relation(place) == relation), None)
            if place is not None:
                found.append(place)
                index += len(_spelling(self._layouts[place[0]], 0, 0)) - 1
            index += 1
        return found

    def relations(self, moves: Sequence[Sequence[str]]) -> dict[tuple[str, int], str]:
        """Return by move name and argument position the relation whose cells this argument most likely names."""
        seen: dict[tuple[str, int], dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
        for name, *words in moves:
            for index in range(len(words)):
                for place in self._at(words, index):
                    seen[name, index][self._relation(place)].append(place)
        chosen: dict[tuple[str, int], str] = {}
        for (name, index), found in sorted(seen.items()):
            chosen[name, index] = self._likeliest(found, chosen.get((name, index - 2)))
        return chosen

    def _likeliest(self, found: dict[str, list[Place]], before: str | None) -> str:
        """Choose the relation with the most named cells; break ties by the fewest kinds of content in these cells.

        If relations are still tied, prefer one whose first cell is not empty, then the relation `before`.
        """
        most = max(map(len, found.values()))
        alike = {relation: places for relation, places in found.items() if len(places) == most}
        if len(alike) == 1:
            return next(iter(alike))
        told = {relation: [self._content(place) for place in places] for relation, places in alike.items()}
        return min(told, key=lambda one: (len(set(told[one])), told[one][0] == "", one != before))

    def _at(self, words: Sequence[str], index: int) -> list[Place]:
        keys = [tuple(words[index : index + length]) for length in self._lengths]
        return [spelled[key] for key in keys for spelled in self._spelled if key in spelled]

    def _relation(self, place: Place) -> str:
        return self._layouts[place[0]].relation[0]

    def _content(self, place: Place) -> str:
        number, x, y = place
        content = self._contents[number][y][x]
        return "" if content in BLANKS else content


@lru_cache(KEPT)
def _spelled(
    number: int,
    columns: Line,
    rows: Line,
    across: int,
    up: int,
    board: tuple[tuple[int, str], ...],
    spots: tuple[tuple[float, float], ...],
) -> dict[tuple[str, ...], Place]:
    """Return every cell of a board by its spelling; cached for all positions of a game."""
    layout = Layout(("", 0), across, up, columns, rows, {}, board, spots)
    return {_spelling(layout, x, y): (number, x, y) for x, y in product(range(len(columns)), range(len(rows)))}


def _spelling(layout: Layout, x: int, y: int) -> tuple[str, ...]:
    """Return the words of a cell in moves, which are the same as in facts."""
    return layout.spelling(layout.columns[x], layout.rows[y])
