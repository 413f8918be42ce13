"""Export of results as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from agent.tournament.plan import TournamentPlan
from agent.tournament.standings import Standing
from agent.tournament.store import Outcome

COLUMNS = ("match", "game", "ended", "seat", "role", "player", "goal", "errors", "steps", "seconds", "completed")


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """Format one line per seat of each match."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for o in outcomes:
        for seat, player in enumerate(o.players):
            goal = o.goals[seat] if o.completed else ""
            when = (o.match_id, o.game, _time(o.ended))
            writer.writerow(
                (*when, seat + 1, o.roles[seat], player, goal, o.errors[seat], o.steps, o.seconds, int(o.completed))
            )
    return out.getvalue()


def as_json(plan: TournamentPlan, rows: Sequence[Standing], outcomes: Sequence[Outcome]) -> str:
    """Format the plan, the table and the matches."""
    body = {
        "plan": asdict(plan),
        "standings": [asdict(row) for row in rows],
        "matches": [asdict(outcome) | {"ended": _time(outcome.ended)} for outcome in outcomes],
    }
    return json.dumps(body, indent=1) + "\n"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
