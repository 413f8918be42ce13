"""Tables of a report, and of the comparison of two, as rows of texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.report.measures import ELO, SHARE, Figure, differs
from agent.report.measuring import LISTED, Report

HEADS = ("measure", "play", "value", "95% interval", "sample")


class Section(NamedTuple):
    """A table: its title, headings and rows."""

    title: str
    heads: Sequence[str]
    rows: list[Sequence[str]]


def number(figure: Figure, value: float) -> str:
    """Format a value of a figure."""
    if figure.form == SHARE:
        return f"{100 * value:.1f}%"
    return f"{value:+.0f}" if figure.form == ELO else f"{value:,.2f}"


def interval(figure: Figure) -> str:
    """Format the interval; empty without one."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number(figure, figure.low)} .. {number(figure, figure.high)}"


def sections(report: Report) -> Iterator[Section]:
    """Yield the tables of a report."""
    facts = {**report.kind, **report.size, **report.rules}
    yield Section(f"Report on {report.game}", ("property", "value"), [(name, _fact(it)) for name, it in facts.items()])
    if report.figures:
        yield Section("Measures", HEADS, [_row(each) for each in report.figures])


def compared(one: Report, other: Report) -> Iterator[Section]:
    """Yield the tables of a comparison; differences that are larger than their intervals are marked."""
    facts = [{**report.kind, **report.size, **report.rules} for report in (one, other)]
    names = list(dict.fromkeys([*facts[0], *facts[1]]))
    rows = [(name, *(_fact(own.get(name, "")) for own in facts)) for name in names]
    heads = (one.game, other.game)
    yield Section("Properties", ("property", *heads, ""), [(*row, "differs" * (row[1] != row[2])) for row in rows])
    found = [{(each.name, each.play): each for each in report.figures} for report in (one, other)]
    yield Section(
        "Measures",
        ("measure", "play", *(text for head in heads for text in (head, "95% interval")), ""),
        [_pair(*key, found[0].get(key), found[1].get(key)) for key in dict.fromkeys([*found[0], *found[1]])],
    )


def different(one: Report, other: Report) -> list[tuple[str, str]]:
    """Return the name and the play of the figures that differ by more than their intervals."""
    found = {(each.name, each.play): each for each in other.figures}
    pairs = [(each, found.get((each.name, each.play))) for each in one.figures]
    return [(first.name, first.play) for first, second in pairs if second is not None and differs(first, second)]


def _row(each: Figure) -> Sequence[str]:
    return each.name, each.play, number(each, each.value), interval(each), f"{each.count:,}"


def _pair(name: str, play: str, one: Figure | None, other: Figure | None) -> Sequence[str]:
    cells = [
        text for each in (one, other) for text in ((number(each, each.value), interval(each)) if each else ("", ""))
    ]
    return name, play, *cells, "differs" if one and other and differs(one, other) else ""


def _fact(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {own}" for name, own in value.items())
    if isinstance(value, list):
        more = f" ... {len(value):,} in all" if len(value) > LISTED else ""
        return (", ".join(map(str, value[:LISTED])) or "none") + more
    return f"{value:,}" if isinstance(value, int) else str(value)
