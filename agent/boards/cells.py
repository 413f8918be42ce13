"""Contents of a board's cells in one position, from the facts of the board and of its overlays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from agent.boards.find_boards import Over
from agent.boards.layout import Layout
from agent.boards.pictures import Cells
from agent.boards.pieces import Symbol
from agent.boards.walls import edge_of, is_wall, sign_of
from reasoner.language.terms import Compound, Term

Place = tuple[str, str]


def drawn_cells(terms: Sequence[Term], board: Layout, over: Over, symbols: Mapping[str, Symbol]) -> Cells:
    """Return the parts of a grid that change.

    - ``cells``: row by row, the first thing in each cell, or the content that means an empty cell.
    - Mappings from cells, each given by its numbers as the text ``column row``: ``more``, all things of a cell that has
      several; ``edges``, the sides with walls; ``signs``, the sides at which the cell is greater or less than its
      neighbour; ``between``, the thing above and to the right of a point.
    - ``piles``: the things of each pile from the top, by the same text.
    - ``lines``: the ends of each line; ``walled``: whether the lines are walls between cells.
    """
    things, edges, between, signs = _told(terms, board, over)
    blank = {content for content, symbol in symbols.items() if symbol.blank}
    real = {place: [one for one in found if one not in blank] for place, found in things.items()}
    piles = {place: found for place, found in real.items() if board.levels and len(found) > 1}
    real |= {place: found[:1] for place, found in piles.items()}
    places = [[(column, row) for column in board.columns] for row in board.rows]
    return {
        "cells": [[(real.get(place) or things.get(place) or [""])[0] for place in line] for line in places],
        "more": {_key(board, place): found for place, found in real.items() if len(found) > 1},
        "piles": {_key(board, place): found for place, found in piles.items()},
        "edges": {_key(board, place): sorted(found) for place, found in edges.items()},
        "signs": {_key(board, place): found for place, found in signs.items()},
        "between": {_key(board, place): content for place, content in between.items()},
        "lines": _lines(terms, board, over),
        "walled": over.lines is not None and is_wall(over.lines.relation[0]),
    }


def rest_of(terms: Sequence[Term], board: Layout, over: Over) -> list[Term]:
    """Return the facts that a board does not show."""
    own = [board, *(overlay.layout for overlay in over.overlays)]
    lines = over.lines.relation if over.lines else None
    return [
        fact
        for fact in terms
        if not isinstance(fact, Compound)
        or ((fact.functor, len(fact.arguments)) != lines and not any(layout.holds(fact) for layout in own))
    ]


def _told(
    terms: Sequence[Term], board: Layout, over: Over
) -> tuple[dict[Place, list[str]], dict[Place, set[str]], dict[Place, str], dict[Place, list[tuple[str, str]]]]:
    things: dict[Place, list[str]] = defaultdict(list)
    edges: dict[Place, set[str]] = defaultdict(set)
    between: dict[Place, str] = {}
    signs: dict[Place, list[tuple[str, str]]] = defaultdict(list)
    readers = [*(() if over.points else ((board, False),)), *((one.layout, one.between) for one in over.overlays)]
    for layout, amid in readers:
        own = [fact for fact in terms if isinstance(fact, Compound) and layout.holds(fact)]
        for fact in layout.downward(own) if layout.levels else own:
            place, content = layout.place(fact), layout.content(fact)
            if side := edge_of(layout.relation[0], content):
                edges[place].add(side)
            elif (sign := sign_of(layout.relation[0], content))[0]:
                signs[place].append(sign)
            elif amid:
                between[place] = content
            else:
                things[place].append(content)
    return things, edges, between, signs


def _lines(terms: Sequence[Term], board: Layout, over: Over) -> list[list[int]]:
    if over.lines is None:
        return []
    relation = over.lines.relation
    facts = [fact for fact in terms if isinstance(fact, Compound) and (fact.functor, len(fact.arguments)) == relation]
    return [[part for end in over.lines.ends(fact) for part in _at(board, end)] for fact in facts]


def _at(board: Layout, place: Place) -> tuple[int, int]:
    return board.columns.index(place[0]), board.rows.index(place[1])


def _key(board: Layout, place: Place) -> str:
    return "{} {}".format(*_at(board, place)) if place[0] in board.columns and place[1] in board.rows else ""
