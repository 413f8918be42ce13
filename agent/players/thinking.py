"""A search's report as plain values for the page: JSON, and no more of it than a person reads.

``moves`` is a list of ``{"move", "visits", "value", "proven"}``, the one to play first, then the most visited; ``more``
counts the moves left out; ``line`` is the principal variation, a list of joint moves; ``factors`` is a short text that
says what the game was split into, and ``subgames`` a list of names; the other keys are figures. A player of another
kind may tell any of them; what it does not tell is not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from search.report import Report

MOVES = 40
"""Moves that are told; the others are counted."""
LINE = 12
"""Joint moves of the principal variation that are told."""


def thinking_of(report: Report) -> Mapping[str, object]:
    """What the page shows of a search's report."""
    return {
        "simulations": report.simulations,
        "playouts": report.playouts,
        "seconds": round(report.seconds, 3),
        "nodes": report.nodes,
        "solved": report.solved,
        **({"factors": report.factors} if report.factors else {}),
        "moves": [
            {"move": str(m.move), "visits": m.visits, "value": round(m.value, 1), "proven": m.proven}
            for m in report.moves[:MOVES]
        ],
        "more": max(0, len(report.moves) - MOVES),
        "line": [list(map(str, joint)) for joint in report.principal_variation[:LINE]],
    }
