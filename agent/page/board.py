"""A state as a picture for the page, and which cells a move names.

A picture is plain JSON: ``grid`` (columns left to right, rows from the top, cells row by row, and for each content a
short ``label``, whether it is ``blank``, and its ``tint``), or None; ``others``, the facts outside the grid by
relation, each as the list of its arguments. The grid is found by `agent.gamemaster.board`: any relation with two
coordinates and a content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.gamemaster.board import BLANKS, Layout, find_layout
from reasoner.language.terms import Compound, Constant, Term

MAX_FACTS = 5_000
"""Facts among which a grid is looked for."""
SHORT = 4
"""Letters of a content that are shown in full."""
TINTS = ("red", "yellow", "black", "white", "blue", "green", "orange", "purple", "grey", "brown")
"""Colours that a content may be named after; the page knows how to draw them."""


def term_of(fact: str) -> Term:
    """A fact's text as a term; its arguments stay text, however deep they are."""
    if not fact.startswith("("):
        return Constant(fact)
    words = _parts(fact[1:-1])
    return Compound(words[0], tuple(Constant(word) for word in words[1:])) if words else Constant(fact)


def layout_of(facts: Iterable[str], possible: Iterable[str]) -> Layout | None:
    """Where the grid is, found in the facts of one state; `possible` are facts that may become true."""
    here, ever = list(facts), list(possible)
    if len(here) + len(ever) > 2 * MAX_FACTS:
        return None
    return find_layout(map(term_of, here), map(term_of, ever))


def picture(facts: Sequence[str], layout: Layout | None) -> dict[str, Any]:
    """A state as the page draws it."""
    terms = [term_of(fact) for fact in facts]
    others: dict[str, list[list[str]]] = {}
    for text in layout.others(terms) if layout else sorted(facts):
        other = term_of(text)
        arguments = list(map(str, other.arguments)) if isinstance(other, Compound) else []
        others.setdefault(other.functor if isinstance(other, Compound) else str(other), []).append(arguments)
    return {"grid": _grid(terms, layout) if layout else None, "others": others}


def places(moves: Sequence[str], layout: Layout | None) -> list[dict[str, Any]]:
    """For each move its text, the cells it names as ``[column, row]`` indexes, and the column where it names only that.

    Cells are read off pairs of neighbouring arguments that are coordinates: one cell to put something there, two to go
    from the first to the second.
    """
    shown: list[dict[str, Any]] = [{"move": move, "cells": [], "column": None} for move in moves]
    if layout is None:
        return shown
    columns = {name: index for index, name in enumerate(layout.columns)}
    rows = {name: index for index, name in enumerate(layout.rows)}
    for entry in shown:
        move = term_of(entry["move"])
        words = list(map(str, move.arguments)) if isinstance(move, Compound) else []
        entry["cells"] = _cells(words, columns, rows)
        if not entry["cells"] and len(words) == 1:
            entry["column"] = columns.get(words[0])
    return shown


def _cells(words: Sequence[str], columns: dict[str, int], rows: dict[str, int]) -> list[list[int]]:
    cells: list[list[int]] = []
    index = 0
    while index + 1 < len(words):
        if words[index] in columns and words[index + 1] in rows:
            cells.append([columns[words[index]], rows[words[index + 1]]])
            index += 1
        index += 1
    return cells


def _grid(terms: Sequence[Term], layout: Layout) -> dict[str, Any]:
    contents = [content for content in layout.symbols if content not in BLANKS]
    return {
        "relation": layout.relation[0],
        "columns": layout.columns,
        "rows": layout.rows,
        "cells": layout.cells(terms),
        "symbols": {
            content: {
                "label": "" if content in BLANKS else content if len(content) <= SHORT else label.strip(),
                "blank": content in BLANKS,
                "tint": _tint(content, contents),
            }
            for content, label in layout.symbols.items()
        },
    }


def _tint(content: str, contents: Sequence[str]) -> str | int | None:
    """The colour that a content is named after, else its number among the contents; None for a blank."""
    if content in BLANKS:
        return None
    named = [tint for tint in TINTS if content.casefold() == tint]
    return named[0] if named else contents.index(content)


def _parts(text: str) -> list[str]:
    """The words and lists of `text` at depth 0."""
    parts: list[str] = []
    depth = start = 0
    for index, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == " " and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in parts if part]
