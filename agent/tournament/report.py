"""Report as one self-contained HTML file, with tables and plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape

from agent.gamemaster.statistics import Estimate
from agent.tournament.plan import TournamentPlan
from agent.tournament.plots import Bar, bars, lines
from agent.tournament.standings import KINDS, Standing, elo_text, interval_text
from agent.tournament.store import Outcome

STYLE = """
:root { color-scheme: light dark; --line: #8886; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --accent: #56b4e9; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; max-width: 48rem; height: auto; font-size: 13px; fill: currentColor; }
.grid { stroke: var(--line); } .tick { font-size: 12px; opacity: .8; }
.whisker { stroke: var(--accent); stroke-width: 3; opacity: .6; } .dot { fill: var(--accent); }
"""


def as_html(plan: TournamentPlan, rows: Sequence[Standing], outcomes: Sequence[Outcome], total: int) -> str:
    """Format the page; `total` matches are planned."""
    completed = sum(outcome.completed for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    title = escape(plan.name)
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        f"<p>{len(outcomes)} of {total} matches, {completed} completed, {_duration(seconds)} of play. "
        f"{escape(plan.style)}, clocks {plan.start_clock:g} and {plan.play_clock:g} s, seed {plan.seed}. "
        f"Written {datetime.now(UTC).isoformat(timespec='minutes')}.</p>",
        *(_table_of_all(plan, rows) if outcomes else ["<p>No match has been played yet.</p>"]),
        *_plots(rows, outcomes),
        *_against(rows),
        *_games(rows),
    ]
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _duration(seconds: float) -> str:
    """Say a time in the unit that fits it."""
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


def _table_of_all(plan: TournamentPlan, rows: Sequence[Standing]) -> Iterable[str]:
    yield "<h2>Table</h2><p>The mean Elo of these players is 0. A failed move is one that the player did not choose: "
    yield "it raised an exception, returned an illegal move, or was late, and a legal move was played instead.</p>"
    heads = ["player", "plays as", "matches", "mean score", "95% interval", "Elo", "95% interval"]
    yield table_html(
        [*heads, "time-outs", "illegal", "lost", "failed"],
        [
            [
                row.name,
                plan.players.get(row.name, ""),
                str(row.score.count),
                *row.score.shown(),
                elo_text(row),
                interval_text(row),
                *(str(row.errors[kind]) for kind in KINDS),
                "?" if row.failed is None else str(row.failed),
            ]
            for row in rows
        ],
    )


def _plots(rows: Sequence[Standing], outcomes: Sequence[Outcome]) -> Iterable[str]:
    scores = [
        Bar(row.name, row.score.mean, row.score.low, row.score.high)
        for row in rows
        if row.score.mean is not None and row.score.low is not None and row.score.high is not None
    ]
    if scores:
        yield "<h2>Mean scores</h2>" + bars("Mean scores with 95% intervals", scores, 0, 100)
    rated = [Bar(row.name, row.rating.elo, row.rating.low, row.rating.high) for row in rows if row.rating]
    if rated:
        least, most = min(bar.low for bar in rated), max(bar.high for bar in rated)
        yield "<h2>Elo</h2>" + bars("Elo with 95% intervals", rated, least - 20, most + 20)
    curves = [(row.name, _running_means(row.name, outcomes)) for row in rows]
    if any(len(curve) > 1 for _, curve in curves):
        yield "<h2>Mean score over time</h2>" + lines("Mean score after each match", curves)


def _running_means(name: str, outcomes: Sequence[Outcome]) -> list[float]:
    means: list[float] = []
    total = 0.0
    for outcome in outcomes:
        for seat, who in enumerate(outcome.players):
            if who == name and outcome.completed:
                total += outcome.goals[seat]
                means.append(total / (len(means) + 1))
    return means


def _against(rows: Sequence[Standing]) -> Iterable[str]:
    names = [row.name for row in rows]
    if any(estimate.count for row in rows for estimate in row.against.values()):
        yield "<h2>Against each other</h2><p>The mean score of the row's player in matches with the column's.</p>"
        body = [[row.name, *(_cell(row.against.get(other)) for other in names)] for row in rows]
        yield table_html(["", *names], body)


def _games(rows: Sequence[Standing]) -> Iterable[str]:
    games = list(rows[0].games) if rows else []
    if games:
        yield "<h2>By game</h2>"
        yield table_html(["", *games], [[row.name, *(_cell(row.games.get(game)) for game in games)] for row in rows])


def _cell(estimate: Estimate | None) -> str:
    return f"{estimate.shown()[0]} ({estimate.count})" if estimate is not None and estimate.count else ""


def table_html(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Format a table."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines_ = ["<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in body]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines_)}</tbody></table>"
