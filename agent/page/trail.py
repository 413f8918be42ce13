"""Where the last moves went: the cells that they name, for each role that has moved lately; and cells of facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.page.look import Look
from agent.page.move_cells import Place, places
from agent.page.terms import term_of
from reasoner.language.terms import Compound

BACK = 4
"""Joint moves that are looked back over, at most one for each role."""


def cells_of(facts: Sequence[str], look: Look) -> list[Place]:
    """The cells that facts name, where something stands in them."""
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


def trail(positions: Sequence[tuple[Sequence[str], Sequence[str]]], look: Look) -> list[dict[str, Any]]:
    """The last move of each role that names cells, newest last: its `role`, its `cells` as boards name them.

    `positions` are joint moves with the facts they led to, the position at hand last.
    """
    found: list[dict[str, Any]] = []
    back = min(BACK, len(look.roles), len(positions) - 1)
    for step in range(len(positions) - 1, len(positions) - 1 - back, -1):
        (joint, _), (_, before) = positions[step], positions[step - 1]
        for role, move in enumerate(joint):
            if not move.startswith("(") or any(one["role"] == role for one in found):
                continue
            (placed,) = places([move], before, look.layouts)
            if placed["cells"]:
                found.insert(0, {"role": role, "cells": placed["cells"], "last": step == len(positions) - 1})
    return found
