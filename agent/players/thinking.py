"""A search's report as plain values for the page: JSON, and no more of it than a person reads.

``value`` is the goal expected from the position, 0..100, once that says something; ``moves`` is a list of
``{"move", "visits", "value", "proven"}``, the one to be played first, then by visits, and ``best`` names that one;
``more`` counts the moves left out; ``line`` is the principal variation, a list of joint moves; ``network`` is a
short text that says how a studied network is used, ``factors`` one that says what the game was split into, and
``subgames`` a list of names; ``parts`` has for each subgame ``{"moves", "gain", "played"}``, what is thought of its own
moves, the advised one first, what that is worth above standing still, and whether the move to be played does it, and
``reason`` says why that one is; ``ideas`` are texts: of a game of one role, what each way to solve it found and proved.
The other keys are figures. A player of another kind may tell any of them; what it does not tell is not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoner.language.terms import Term
from search.report import MoveReport, PartReport, Report

MOVES = 40
"""Moves that are told; the others are counted."""
MOVES_OF_PART = 6
"""Moves of each subgame that are told."""
LEAST_VISITS = 20
"""Visits with which the value of a position that is not solved says something."""
LINE = 12
"""Joint moves of the principal variation that are told."""


def thinking_of(report: Report, best: Term | None = None) -> Mapping[str, object]:
    """What the page shows of a search's report; `best` is the move that it would play now."""
    moves = sorted(report.moves, key=lambda told: told.move != best)  # stable: by visits otherwise
    line = report.principal_variation[:LINE]
    if best is not None and line and best not in line[0]:
        line = ()  # it tells of another move than the one to be played
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
