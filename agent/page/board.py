"""A state as a picture for the page.

A picture is plain JSON: ``grids``, the boards (a ``title``, columns left to right, rows from the top, cells row by
row, and for each content a short ``label``, whether it is ``blank``, and its ``tint``); ``others``, the facts outside
them by relation, each as the list of its arguments. Boards are found by `agent.gamemaster.board`: any relation with two
coordinates and a content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.gamemaster.board import BLANKS, Layout, find_layouts
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


def layouts_of(facts: Iterable[str], possible: Iterable[str]) -> tuple[Layout, ...]:
    """Where the boards are, found in the facts of one state; `possible` are facts that may become true."""
    here, ever = list(facts), list(possible)
    if len(here) + len(ever) > 2 * MAX_FACTS:
        return ()
    return find_layouts(map(term_of, here), map(term_of, ever))


def picture(facts: Sequence[str], layouts: Sequence[Layout]) -> dict[str, Any]:
    """A state as the page draws it."""
    left = [term_of(fact) for fact in sorted(facts)]
    grids = []
    for layout in layouts:
        grids.append(_grid(left, layout))
        left = layout.rest(left)
    others: dict[str, list[list[str]]] = {}
    for other in left:
        arguments = list(map(str, other.arguments)) if isinstance(other, Compound) else []
        others.setdefault(other.functor if isinstance(other, Compound) else str(other), []).append(arguments)
    return {"grids": grids, "others": others}


def _grid(terms: Sequence[Term], layout: Layout) -> dict[str, Any]:
    contents = [content for content in layout.symbols if content not in BLANKS]
    return {
        "title": layout.title,
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
