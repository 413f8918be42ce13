"""The page of a study: one HTML file that needs nothing else, with its figures and learning curves."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from agent.tournament.plots import graph
from agent.tournament.report import STYLE
from search.study.folder import Record

Point = tuple[float, float]


def as_html(name: str, record: Record) -> str:
    """The page."""
    title = f"Study of {escape(name)}"
    rate = record.games / max(record.seconds / 60, 1e-9)
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body><h1>{title}</h1>",
        f"<p>{record.games} games with {record.positions} positions in {record.seconds / 60:.1f} minutes, "
        f"{rate:.0f} games a minute; generation {record.generation}, seed {record.seed}.</p>",
        *(_plots(record.history) if record.history else ["<p>No network was trained yet.</p>"]),
        *_table(record.history),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _plots(history: list[dict[str, Any]]) -> Iterable[str]:
    minutes = [moment["seconds"] / 60 for moment in history]

    def curve(key: str) -> list[Point]:
        return [(x, moment[key]) for x, moment in zip(minutes, history, strict=True)]

    band = [(x, moment["low"], moment["high"]) for x, moment in zip(minutes, history, strict=True)]
    yield "<h2>Rating</h2><p>Elo against its own past, which begins with a search that random games evaluate; with the "
    yield "95% interval. A network that was not taken stands where the match put it.</p>"
    yield graph("Rating", [("Elo", curve("elo"))], "minutes", band)
    yield "<h2>Loss</h2><p>In nats a position: of values, and of moves.</p>"
    yield graph("Loss of values", [("values", curve("value_loss"))], "minutes")
    yield graph("Loss of moves", [("moves", curve("policy_loss"))], "minutes")
    yield "<h2>Values</h2><p>The share of the variance of results in new games that values explain.</p>"
    yield graph("R²", [("R²", curve("r2"))], "minutes")
    last = history[-1]
    bins = zip(last["expected"], last["brought"], last["counts"], strict=True)
    met = [(expected, brought) for expected, brought, count in bins if count]
    yield "<p>What games brought where a value was expected, in the end; the diagonal would be right.</p>"
    yield graph("Calibration", [("brought", met), ("right", [(0, 0), (1, 1)])], "expected value")
    yield "<h2>Games</h2>"
    yield graph("Games", [("games", [(0.0, 0.0), *curve("games")])], "minutes")


def _table(history: list[dict[str, Any]]) -> Iterable[str]:
    keys = ("seconds", "games", "window", "value_loss", "policy_loss", "r2", "pairs", "score", "taken", "elo")
    yield "<h2>Matches of the gate</h2><table><thead><tr>"
    yield "".join(f"<th>{key.replace('_', ' ')}</th>" for key in keys) + "</tr></thead><tbody>"
    for moment in history:
        yield "<tr>" + "".join(f"<td>{escape(str(moment[key]))}</td>" for key in keys) + "</tr>"
    yield "</tbody></table>"
