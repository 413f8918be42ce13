"""Cells of the last moves, per role, and cells of facts."""

from __future__ import annotations

from collections.abc import Sequence

from agent.boards.look import Look
from agent.boards.move_cells import Place, places
from agent.boards.pictures import Trail
from agent.boards.terms import term_of
from reasoner.language.terms import Compound

BACK = 4
"""Maximum joint moves to look back."""


def cells_of(facts: Sequence[str], look: Look) -> list[Place]:
    """Return the cells that `facts` name, without facts that mark a cell as empty."""
    found: list[Place] = []
    for text in facts:
        fact = term_of(text)
        layouts = [(number, layout) for number, layout in enumerate(look.layouts) if layout.holds(fact)]
        if not layouts or not isinstance(fact, Compound):
            continue
        number, layout = layouts[0]
        symbol = (look.symbols or {}).get(layout.content(fact))
        column, row = layout.place(fact)
        if symbol and not symbol.blank and column in layout.columns and row in layout.rows:
            found.append((number, layout.columns.index(column), layout.rows.index(row)))
    return found


def trail(positions: Sequence[tuple[Sequence[str], Sequence[str]]], look: Look) -> list[Trail]:
    """Return the last move of each role if it names cells: the `role` and the `cells`, newest move last.

    `positions` are joint moves with the facts after them, the current position last.
    """
    found: list[Trail] = []
    back = min(BACK, len(look.roles), len(positions) - 1)
    for step in range(len(positions) - 1, len(positions) - 1 - back, -1):
        (joint, _), (_, before) = positions[step], positions[step - 1]
        for role, move in enumerate(joint):
            if not move.startswith("(") or any(one["role"] == role for one in found):
                continue
            (placed,) = places([move], before, look.layouts, look.starts)
            if placed["cells"]:
                found.insert(0, {"role": role, "cells": placed["cells"], "last": step == len(positions) - 1})
    return found
