"""Report of a study as one self-contained HTML file, with figures and learning curves."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from agent.tournament.plots import graph
from agent.tournament.report import STYLE
from search.study.folder import Record

Point = tuple[float, float]
PLAYED = ("seconds", "games", "window", "simulations")
NETWORKS = (*PLAYED, "value_loss", "policy_loss", "held_value", "held_policy", "r2", "taken")
MATCHES = ("seconds", "games", "weight", "move_seconds", "pairs", "score", "taken", "elo", "low", "high")


def as_html(name: str, record: Record) -> str:
    """Return the report of the study of the game `name` as an HTML page."""
    title = f"Study of {escape(name)}"
    rate = record.games / max(record.seconds / 60, 1e-9)
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body><h1>{title}</h1>",
        f"<p>{record.games} games with {record.positions} positions in {record.seconds / 60:.1f} minutes, "
        f"{rate:.0f} games per minute; generation {record.generation}, seed {record.seed}.</p>",
        *(_plots(record.history) if record.history else ["<p>No network has been trained yet.</p>"]),
        *(_matches(record.matches) if record.matches else ["<p>No evaluation matches have been played yet.</p>"]),
        *_table("Networks", record.history, NETWORKS),
        *_table("Matches", record.matches, MATCHES),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _curve(moments: list[dict[str, Any]], key: str) -> list[Point]:
    return [(moment["seconds"] / 60, moment[key]) for moment in moments]


def _plots(history: list[dict[str, Any]]) -> Iterable[str]:
    yield "<h2>Loss</h2><p>In nats per position, of values and of moves. Held-out games are not used for training; a "
    yield "network that predicts them worse than its predecessor is not used for self-play.</p>"
    for name, key in (("values", "value"), ("moves", "policy")):
        curves = [("learned", _curve(history, f"{key}_loss")), ("held out", _curve(history, f"held_{key}"))]
        yield graph(f"Loss of {name}", curves, "minutes")
    yield "<h2>Values</h2><p>The share of the variance of results in held-out games that the values explain.</p>"
    yield graph("R²", [("R²", _curve(history, "r2"))], "minutes")
    last = history[-1]
    bins = zip(last["expected"], last["brought"], last["counts"], strict=True)
    met = [(expected, brought) for expected, brought, count in bins if count]
    yield "<p>Actual results by expected value, at the end; the diagonal is perfect calibration.</p>"
    yield graph("Calibration", [("brought", met), ("right", [(0, 0), (1, 1)])], "expected value")
    yield "<h2>Games</h2>"
    yield graph("Games", [("games", [(0.0, 0.0), *_curve(history, "games")])], "minutes")


def _matches(matches: list[dict[str, Any]]) -> Iterable[str]:
    band = [(moment["seconds"] / 60, moment["low"], moment["high"]) for moment in matches]
    yield "<h2>Rating</h2><p>Elo relative to earlier networks, starting from the search without a network, in matches "
    yield "with equal CPU time, with the 95% interval. Networks that were not promoted are included.</p>"
    yield graph("Rating", [("Elo", _curve(matches, "elo"))], "minutes", band)


def _table(title: str, moments: list[dict[str, Any]], keys: tuple[str, ...]) -> Iterable[str]:
    yield f"<h2>{title}</h2><table><thead><tr>"
    yield "".join(f"<th>{key.replace('_', ' ')}</th>" for key in keys) + "</tr></thead><tbody>"
    for moment in moments:
        yield "<tr>" + "".join(f"<td>{escape(str(moment[key]))}</td>" for key in keys) + "</tr>"
    yield "</tbody></table>"
