"""Reports as one self-contained HTML file, with tables and plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from agent.report.measures import ELO, Figure
from agent.report.measuring import Report
from agent.report.text import Section, compared, sections
from agent.tournament.plots import Bar, bars, histogram
from agent.tournament.report import STYLE, table_html


def as_html(reports: Sequence[Report]) -> str:
    """Format the page of one report, or of two with their comparison."""
    title = " and ".join(report.game for report in reports)
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}\ntd {{ overflow-wrap: anywhere; }}</style></head><body><h1>{escape(title)}</h1>",
    ]
    if len(reports) > 1:
        parts += map(_table, compared(*reports))
    for report in reports:
        parts += [*map(_table, sections(report)), *_plots(report)]
        parts += [f"<p>{escape(note)}</p>" for note in report.notes]
        parts.append(f"<p>Measured in {report.seconds:.0f} s, seed {report.seed}.</p>")
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _table(section: Section) -> str:
    return f"<h2>{escape(section.title)}</h2>{table_html(section.heads, section.rows)}"


def _plots(report: Report) -> Iterator[str]:
    for way, lengths in report.lengths.items():
        yield f"<h3>Length of games, {escape(way)}</h3>" + histogram(f"Length of games, {way}", lengths, "joint moves")
    scores = [each for each in report.figures if each.measure == "score"]
    if scores:
        rows = [_bar(f"{each.name.removeprefix('score of ')}, {each.play}", each, 100) for each in scores]
        yield "<h3>Scores in percent of the highest goal</h3>" + bars("Scores with 95% intervals", rows, 0, 100)
    gains = [_bar(each.play, each, 1) for each in report.figures if each.form == ELO]
    if gains:
        ends = min(0, *(gain.low for gain in gains)), max(gain.high for gain in gains)
        yield "<h3>Elo gained by more simulations</h3>" + bars("Elo gained with 95% intervals", gains, *ends)


def _bar(name: str, figure: Figure, scale: float) -> Bar:
    low, high = (scale * (figure.value if end is None else end) for end in (figure.low, figure.high))
    return Bar(name, scale * figure.value, low, high)
