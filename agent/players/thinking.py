"""Conversion of a search's report to JSON values for the page.

``value`` is the expected goal, 0..100, after enough visits; ``moves`` is a list of ``{"move", "visits", "value",
"proven"}``, the best move first, then by visits, and ``best`` is that move; ``more`` counts the omitted moves;
``line`` is the principal variation, a list of joint moves; ``network`` and ``factors`` are short texts on the studied
network and the subgames, ``subgames`` a list of names; ``ideas`` are texts with the results of the single-player
solvers. The other keys are figures. All keys are optional: a custom player may return any of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoner.language.terms import Term
from search.report import Report

MOVES = 40
"""Maximum number of moves listed; the others are counted."""
LEAST_VISITS = 20
"""Minimum visits for showing the value of an unsolved position."""
LINE = 12
"""Maximum joint moves of the principal variation."""


def thinking_of(report: Report, best: Term | None = None) -> Mapping[str, object]:
    """Convert a search's report; `best` is the move that it would play now."""
    moves = sorted(report.moves, key=lambda told: told.move != best)  # stable sort: otherwise by visits
    known = report.moves and (report.solved or sum(told.visits for told in report.moves) >= LEAST_VISITS)
    return {
        **({"value": round(report.value, 1)} if known else {}),
        "simulations": report.simulations,
        "playouts": report.playouts,
        "seconds": round(report.seconds, 3),
        "nodes": report.nodes,
        "solved": report.solved,
        **({"factors": report.factors} if report.factors else {}),
        **({"network": report.network} if report.network else {}),
        **({"best": str(best)} if best is not None else {}),
        **({"ideas": list(report.ideas)} if report.ideas else {}),
        "moves": [
            {"move": str(m.move), "visits": m.visits, "value": round(m.value, 1), "proven": m.proven}
            for m in moves[:MOVES]
        ],
        "more": max(0, len(moves) - MOVES),
        "line": [list(map(str, joint)) for joint in report.principal_variation[:LINE]],
    }
