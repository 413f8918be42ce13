"""Conversion of a search's report to JSON values for the page.

``value`` is the expected goal, 0..100, after enough visits; ``moves`` is a list of ``{"move", "visits", "value",
"proven"}``, the best move first, then by visits, and ``best`` is that move; ``more`` counts the omitted moves;
``line`` is the principal variation, a list of joint moves; ``network`` and ``factors`` are short texts on the studied
network and the subgames, ``subgames`` a list of names; ``parts`` has for each subgame ``{"moves", "gain", "played"}``:
its own ranking with the advised move first, what that move gains over standing still, and whether the move to play does
it; ``reason`` says why that move is played; ``ideas`` are texts with the results of the single-player solvers. The other
keys are figures. All keys are optional: a custom player may return any of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoner.language.terms import Term
from search.report import MoveReport, PartReport, Report

MOVES = 40
"""Maximum number of moves listed; the others are counted."""
MOVES_OF_PART = 6
"""Maximum number of moves listed for each subgame."""
LEAST_VISITS = 20
"""Minimum visits for showing the value of an unsolved position."""
LINE = 12
"""Maximum joint moves of the principal variation."""


def thinking_of(report: Report, best: Term | None = None) -> Mapping[str, object]:
    """Convert a search's report; `best` is the move that it would play now."""
    moves = sorted(report.moves, key=lambda told: told.move != best)  # stable sort: otherwise by visits
    line = report.principal_variation[:LINE]
    if best is not None and line and best not in line[0]:
        line = ()  # it begins with another move than the one to be played
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
        "moves": [_move(told) for told in moves[:MOVES]],
        "more": max(0, len(moves) - MOVES),
        "line": [list(map(str, joint)) for joint in line],
        **({"parts": [_part(part) for part in report.parts], "reason": report.reason} if report.reason else {}),
    }


def _move(told: MoveReport) -> dict[str, object]:
    return {"move": str(told.move), "visits": told.visits, "value": round(told.value, 1), "proven": told.proven}


def _part(part: PartReport) -> dict[str, object]:
    moves = [_move(told) for told in part.moves[:MOVES_OF_PART]]
    return {"moves": moves, "gain": round(100 * part.gain, 1), "played": part.played}
