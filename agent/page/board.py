"""A state as a picture for the page.

A picture is plain JSON: ``grids``, the boards (a ``title``, columns left to right, rows from the top, cells row by
row, and for each content how it is drawn, see `agent.page.pieces.Symbol`); ``across``, how many boards stand side by
side; ``counters``, numbers with their names; ``trays``, pieces that stand on no board; ``others``, the facts besides
by relation, each as the list of its arguments. Boards are found by `agent.gamemaster.board`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.gamemaster.layout import Layout
from agent.page.look import Look
from agent.page.pieces import NUMBER, as_json
from agent.page.terms import term_of
from reasoner.language.terms import Compound, Term

MAX_COUNTERS = 40


def picture(facts: Sequence[str], look: Look, *, terminal: bool = False) -> dict[str, Any]:
    """A state as the page draws it; whose turn it is, is no fact of a state that is `terminal`."""
    left = [term_of(fact) for fact in sorted(facts)]
    grids = []
    for layout in look.layouts:
        grids.append(_grid(left, layout, look))
        left = layout.rest(left)
    others = _by_relation(left, look)
    if terminal:
        others = {name: rows for name, rows in others.items() if not _turn(rows, look.roles)}
    drawn = {"grids": grids, "across": _across(look.layouts)}
    return drawn | {"trays": _trays(others, look), "counters": _counters(others, look), "others": others}


def _grid(terms: Sequence[Term], layout: Layout, look: Look) -> dict[str, Any]:
    made = look.symbols or {}
    cells = layout.cells(terms)
    return {
        "title": look.author.names.get(layout.title, layout.title),
        "columns": layout.columns,
        "rows": layout.rows,
        "cells": cells,
        "symbols": as_json({content: made[content] for content in layout.symbols if content in made}),
        "checkered": look.checkered,
        "skew": look.skew,
        "sides": look.author.sides,
    }


def _across(layouts: Sequence[Layout]) -> int:
    """How many boards stand side by side: as many as one of two arguments has values, else about a square's side."""
    many = len(layouts)
    if layouts and len(layouts[0].board) == 2:
        return len({layout.board[1][1] for layout in layouts if layout.board})
    return 2 if many == 4 else min(many, 3)


def _by_relation(terms: Sequence[Term], look: Look) -> dict[str, list[list[str]]]:
    others: dict[str, list[list[str]]] = {}
    for term in terms:
        name = term.functor if isinstance(term, Compound) else str(term)
        if name not in look.author.hidden:
            arguments = list(map(str, term.arguments)) if isinstance(term, Compound) else []
            others.setdefault(look.author.names.get(name, name), []).append(arguments)
    return others


def _turn(rows: Sequence[Sequence[str]], roles: Sequence[str]) -> bool:
    """Whether facts say whose turn it is: one alone, whose only word is a role."""
    return len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] in roles


def _trays(others: dict[str, list[list[str]]], look: Look) -> list[dict[str, Any]]:
    """Pieces that are not on a board: facts of one word that is a content; they are taken out of `others`."""
    made = look.symbols or {}
    pieces = {content: symbol for content, symbol in made.items() if not symbol.blank and content not in look.roles}
    trays = []
    for name, rows in list(others.items()):
        if all(len(row) == 1 and row[0] in pieces for row in rows):
            del others[name]
            words = [row[0] for row in rows]
            trays.append({"title": name, "pieces": words, "symbols": as_json({word: pieces[word] for word in words})})
    return trays


def _counters(others: dict[str, list[list[str]]], look: Look) -> list[list[str]]:
    """Numbers with their names, taken out of `others`: relations with one number for each name, and for each role."""
    counters: list[list[str]] = []
    for name, rows in list(others.items()):
        keys = [" ".join(row[:-1]) for row in rows]
        numbers = [NUMBER.fullmatch(row[-1]) for row in rows if 1 <= len(row) <= 2]
        if len(numbers) == len(rows) == len(set(keys)) <= MAX_COUNTERS and all(numbers):
            del others[name]
            names = look.author.names
            counters += [
                [f"{name} {names.get(key, key)}".strip(), str(int(number[1]))]
                for key, number in zip(keys, numbers, strict=True)
                if number
            ]
    return counters
