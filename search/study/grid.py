"""The board of a game: facts and moves that name cells by two coordinates, in any words.

A coordinate is an argument whose values are words of one successor relation, or integers. The relation with the most
facts of two coordinates makes the board; the facts of other relations are on it if their coordinates are. All facts
that differ only in their cell are of one kind. So are all moves that differ only in the place where they begin.
An argument of moves is a coordinate if it takes more than half of the coordinate's values: in ``(drop 3 1)``, 1 may be
a board. A move without such arguments still names a column by the only word of it.
Relations of too many kinds, such as pairs of connected cells, are left out: the network does not see their facts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reasoner.arrays import Ints
from reasoner.language.terms import Compound, Term
from reasoner.rules.chains import chains
from reasoner.rules.program import Program
from search.study.vocabulary import Vocabulary

MIN_SIDE, MAX_CELLS = 3, 400
MAX_KINDS = 64
"""Maximum number of kinds of facts on the board."""
OFF, UNSEEN = -1, -2
"""Instead of a kind, for facts that are not on the board, and for facts that are left out."""
MAX_SIDE = 64
MIN_SHARE = 0.25
"""Least share of the facts, except those left out, that are on the board."""
OFFSETS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
"""Steps to the neighbours of a cell, which include the cell itself."""
COORDINATES = 2
NAMED = 2
"""Cells that a move names, at most: where it begins and where it ends."""

Words = tuple[str, ...]
_Ranges = Mapping[tuple[tuple[str, int], int], set[str]]
"""Values of an argument, by its relation and its place."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A board of `wide` by `high` cells, which are numbered column by column; R roles with M moves and F facts.

    kinds:      the kind of each fact, or OFF, or UNSEEN.
    places:     the cell of each fact; 0 for facts that are not on the board.
    move_kinds: the kind of each move of a role.
    named:      the cells that each move names; `cells` where it names fewer. A move that names only a column
                names all its cells.
    """

    wide: int
    high: int
    kinds: Ints  # [F]
    places: Ints  # [F]
    move_kinds: tuple[Ints, ...]  # R times [M]
    named: tuple[Ints, ...]  # R times [M, J]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.wide * self.high

    @cached_property
    def neighbours(self) -> Ints:
        """The cell at each of the OFFSETS from each cell; `cells` beyond the edge.  # [cells, 9]."""
        found = np.full((self.cells, len(OFFSETS)), self.cells, np.int32)
        for cell in range(self.cells):
            for number, (right, up) in enumerate(OFFSETS):
                x, y = cell // self.high + right, cell % self.high + up
                if 0 <= x < self.wide and 0 <= y < self.high:
                    found[cell, number] = x * self.high + y
        return found


@dataclass(frozen=True)
class _Axes:
    """The words of both coordinates, in order, and the arguments that contain them, by relation."""

    columns: Words
    rows: Words
    arguments: dict[tuple[str, int], tuple[int, int]]

    def cell(self, column: str, row: str) -> int:
        return self.columns.index(column) * len(self.rows) + self.rows.index(row)


def find_grid(program: Program, vocabulary: Vocabulary) -> Grid | None:
    """Return the board of a game; None if most facts are on none."""
    axes = _find_axes([list(chain) for chain in chains(program, MAX_SIDE)], vocabulary.facts)
    if axes is None:
        return None
    kinds = _find_kinds(vocabulary.facts, axes)
    if np.count_nonzero(kinds >= 0) < MIN_SHARE * np.count_nonzero(kinds != UNSEEN) or not (kinds >= 0).any():
        return None
    places = np.zeros(len(kinds), np.int32)
    for fact in np.flatnonzero(kinds >= 0).tolist():
        term = vocabulary.facts[fact]
        column, row = axes.arguments[_relation(term)]
        places[fact] = axes.cell(_words(term)[column], _words(term)[row])
    ranges = _ranges(move for own in vocabulary.moves for move in own)
    described = [[_describe(move, axes, ranges) for move in own] for own in vocabulary.moves]
    most = max((len(cells) for own in described for _, cells in own), default=0)
    move_kinds, named, nothing = [], [], len(axes.columns) * len(axes.rows)
    for own in described:
        numbers: dict[Sequence[object], int] = {}
        move_kinds.append(np.array([numbers.setdefault(kind, len(numbers)) for kind, _ in own], np.int32))
        cells = [[*cells, *[nothing] * (max(most, 1) - len(cells))] for _, cells in own]
        named.append(np.array(cells, np.int32).reshape(len(own), max(most, 1)))
    return Grid(
        len(axes.columns),
        len(axes.rows),
        kinds,
        places,
        tuple(move_kinds),
        tuple(named),
    )


def _find_kinds(facts: Sequence[Term], axes: _Axes) -> Ints:
    """Return the kind of each fact; relations with few kinds come first."""
    described: dict[tuple[str, int], dict[Words, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, fact in enumerate(facts):
        if (pair := axes.arguments.get(_relation(fact))) is not None:
            rest = tuple(word for at, word in enumerate(_words(fact)) if at not in pair)
            described[_relation(fact)][rest].append(number)
    kinds, count = np.full(len(facts), OFF, np.int32), 0
    for own in sorted(described.values(), key=len):
        fits = count + len(own) <= MAX_KINDS
        for kind, members in enumerate(own.values()):
            kinds[members] = count + kind if fits else UNSEEN
        count += len(own) if fits else 0
    return kinds


def _find_axes(orders: list[list[str]], facts: Sequence[Term]) -> _Axes | None:
    sizes, values = Counter(map(_relation, facts)), _ranges(facts)
    found: dict[tuple[str, int], tuple[tuple[int, int], Words, Words]] = {}
    for relation in sizes:
        lines = [(at, _line(values[relation, at], orders)) for at in range(relation[1])]
        known = [(at, line) for at, line in lines if line is not None]
        if len(known) >= COORDINATES:
            (one, columns), (other, rows) = known[:COORDINATES]
            found[relation] = (one, other), columns, rows
    if not found:
        return None
    _, columns, rows = found[max(found, key=lambda relation: sizes[relation])]
    if len(columns) * len(rows) > MAX_CELLS:
        return None
    fitting = {
        relation: pair
        for relation, (pair, *both) in found.items()
        if set(both[0]) <= set(columns) and set(both[1]) <= set(rows)
    }
    return _Axes(columns, rows, fitting)


def _ranges(terms: Iterable[Term]) -> _Ranges:
    found: dict[tuple[tuple[str, int], int], set[str]] = defaultdict(set)
    for term in terms:
        for at, word in enumerate(_words(term)):
            found[_relation(term), at].add(word)
    return found


def _line(words: set[str], orders: list[list[str]]) -> Words | None:
    """Return the words in the order of a successor relation, or of the integers; None if there is no order."""
    if not MIN_SIDE <= len(words) <= MAX_SIDE:
        return None
    for order in orders:
        if words <= set(order):
            return tuple(word for word in order if word in words)
    if all(word.isdecimal() for word in words):
        return tuple(sorted(words, key=int))
    return None


def _describe(move: Term, axes: _Axes, ranges: _Ranges) -> tuple[tuple[object, ...], list[int]]:
    """Return the kind of a move, and the cells that it names."""
    words, rest, named, at = _words(move), list[str](), list[tuple[int, int]](), 0
    ranged = [ranges[_relation(move), place] for place in range(len(words))]
    on_column = [word in axes.columns and _covers(own, axes.columns) for word, own in zip(words, ranged, strict=True)]
    on_row = [word in axes.rows and _covers(own, axes.rows) for word, own in zip(words, ranged, strict=True)]
    columns = [place for place, on in enumerate(on_column) if on]
    columns = columns or [place for place, word in enumerate(words) if word in axes.columns]
    while at < len(words):
        if len(named) < NAMED and on_column[at] and at + 1 < len(words) and on_row[at + 1]:
            named.append((axes.columns.index(words[at]), axes.rows.index(words[at + 1])))
            at += COORDINATES
        else:
            rest.append(words[at])
            at += 1
    name, high = _relation(move)[0], len(axes.rows)
    if not named and len(columns) == 1:
        first = axes.columns.index(words[columns[0]]) * high
        del rest[columns[0]]
        return (name, "column", *rest), [first + row for row in range(high)]
    steps = tuple((x - named[0][0], y - named[0][1]) for x, y in named[1:])
    return (name, *rest, *steps), [x * high + y for x, y in named]


def _covers(words: set[str], axis: Words) -> bool:
    """Return whether an argument of moves is a coordinate: it takes more than half of the axis's values."""
    return 2 * len(words.intersection(axis)) > len(axis)


def _relation(term: Term) -> tuple[str, int]:
    return (str(term.functor), len(term.arguments)) if isinstance(term, Compound) else (str(term), 0)


def _words(term: Term) -> list[str]:
    return [str(argument) for argument in term.arguments] if isinstance(term, Compound) else []
