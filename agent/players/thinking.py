"""Conversion of a search's report to JSON values for the page.

value:    the expected goal, 0..100; only after enough visits.
moves:    a list of ``{"move", "visits", "value", "proven"}``, with the best move first and the others by visits.
best:     the best move.
more:     the number of omitted moves.
line:     the principal variation, a list of joint moves.
lines:    the principal variations of up to three of the best moves, each in the form of `line`.
network:  a short text on the studied network.
evaluation: a list of ``{"fact", "weight"}``: the facts that a learned evaluation weighs most.
factors:  a short text on the subgames.
subgames: a list of the names of the subgames.
parts:    for each subgame ``{"moves", "gain", "played"}``: the ranking of its moves with the advised move first, the
          gain of the advised move over not moving in this subgame, and whether the move to play is the advised move.
reason:   why the move to play was chosen.
solvers:  texts with the results of the single-player solvers.

All other keys are figures. All keys are optional: a custom player may return any of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoner.language.terms import Term
from search.report import FactReport, MoveReport, PartReport, Report

MOVES = 40
"""Maximum number of moves listed; the others are counted."""
MOVES_OF_PART = 6
"""Maximum number of moves listed for each subgame."""
MIN_VISITS = 20
"""Minimum visits for showing the value of an unsolved position."""
LINE = 12
"""Maximum joint moves of the principal variation."""


def thinking_of(report: Report, best: Term | None = None) -> Mapping[str, object]:
    """Convert a search's report; `best` is the move that it would play now."""
    moves = sorted(report.moves, key=lambda told: told.move != best)  # stable sort: otherwise by visits
    line = report.principal_variation[:LINE]
    if best is not None and line and best not in line[0]:
        line = ()  # the variation begins with another move than the one to be played
    lines = [one[:LINE] for one in report.variations if line and one]
    if lines and lines[0][0] != line[0]:
        lines = []
    known = report.moves and (report.solved or sum(told.visits for told in report.moves) >= MIN_VISITS)
    return {
        **({"value": round(report.value, 1)} if known else {}),
        "simulations": report.simulations,
        "playouts": report.playouts,
        "seconds": round(report.seconds, 3),
        "nodes": report.nodes,
        "solved": report.solved,
        **({"factors": report.factors} if report.factors else {}),
        **({"network": report.network} if report.network else {}),
        **({"evaluation": [_fact(told) for told in report.evaluation]} if report.evaluation else {}),
        **({"best": str(best)} if best is not None else {}),
        **({"solvers": list(report.solvers)} if report.solvers else {}),
        "moves": [_move(told) for told in moves[:MOVES]],
        "more": max(0, len(moves) - MOVES),
        "line": [list(map(str, joint)) for joint in line],
        **({"lines": [[list(map(str, joint)) for joint in one] for one in lines]} if len(lines) > 1 else {}),
        **({"parts": [_part(part) for part in report.parts], "reason": report.reason} if report.reason else {}),
    }


def _fact(told: FactReport) -> dict[str, object]:
    return {"fact": str(told.fact), "weight": round(told.weight, 2)}


def _move(told: MoveReport) -> dict[str, object]:
    return {"move": str(told.move), "visits": told.visits, "value": round(told.value, 1), "proven": told.proven}


def _part(part: PartReport) -> dict[str, object]:
    moves = [_move(told) for told in part.moves[:MOVES_OF_PART]]
    return {"moves": moves, "gain": round(100 * part.gain, 1), "played": part.played}
