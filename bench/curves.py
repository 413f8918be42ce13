"""Learning curves of studies, from their records: a table and a picture.

    python -m bench.curves FOLDER... [--moments 6] [--picture FILE.svg]

FOLDER is the output of `ggp-agent study GAME --out FOLDER`. Losses and the share of variance are of held-out games. The
rating is Elo against the study's own past, from its matches, and is shown in the row after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from agent.tournament.plots import graph
from search.errors import StudyError
from search.study.folder import Record, StudyFolder

HEAD = ("game", "minutes", "games", "positions", "loss of values", "of moves", "share of variance", "rating (95%)")
CURVES = (("share of variance explained", "r2"), ("loss of moves, held out", "held_policy"))
STYLE = (
    "text { font: 12px sans-serif; fill: #444 } .tick { font-size: 11px; fill: #777 } .grid { stroke: #ddd } "
    "rect.paper { fill: #fff }"
)
PANEL, WIDTH = 290, 760


@dataclass(frozen=True)
class Course:
    """A study: the game's name, its record, and the result of its last matches."""

    name: str
    record: Record
    tuned: str


def course_of(path: Path) -> Course:
    """Load a study from its folder. Raises StudyError."""
    folder = StudyFolder(path)
    if not folder.exists():
        raise StudyError(f"{path} holds no study: name the folder given to `ggp-agent study --out`")
    studied = folder.load_result()
    about = studied.about if studied else {}
    return Course(str(about.get("game", path.name.removesuffix(".study"))), folder.load_record(), _tuned(about))


def _tuned(about: dict[str, Any]) -> str:
    return str(about.get("tuned", "no matches against the search without a network"))


def table(courses: list[Course], moments: int) -> str:
    """Return a Markdown table of some moments of each study, with its final result below."""
    rows = [HEAD, tuple("---" if place == 0 else "---:" for place in range(len(HEAD)))]
    for course in courses:
        rows += [(course.name if not place else "", *row) for place, row in enumerate(_rows(course.record, moments))]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", *(f"- {course.name}: {course.tuned}" for course in courses)])


def _rows(record: Record, moments: int) -> list[tuple[str, ...]]:
    history = record.history
    count = min(moments, len(history))
    chosen = sorted({round((place + 1) * len(history) / count) - 1 for place in range(count)})
    rows, before = [], 0.0
    for place in chosen:
        moment = history[place]
        until = moment["seconds"] if place < len(history) - 1 else record.seconds
        met = [each for each in record.matches if before < each["seconds"] <= until]
        rows.append((*_told(moment), _rating(met[-1]) if met else ""))
        before = until
    return rows


def _told(moment: dict[str, Any]) -> tuple[str, ...]:
    counts = f"{moment['games']:,}", f"{moment['positions']:,}"
    losses = f"{moment['held_value']:.3f}", f"{moment['held_policy']:.3f}", f"{moment['r2']:.2f}"
    return (f"{moment['seconds'] / 60:.1f}", *counts, *losses)


def _rating(match: dict[str, Any]) -> str:
    return f"{match['elo']:.0f} ({match['low']:.0f} .. {match['high']:.0f})"


def picture(courses: list[Course]) -> str:
    """Draw the curves as a self-contained SVG file."""
    panels = []
    for number, (title, key) in enumerate(CURVES):
        curves = [(each.name, [(m["seconds"] / 60, m[key]) for m in each.record.history]) for each in courses]
        panels.append(_panel(number, title, graph(title, curves, "minutes")))
    rated = [
        (each.name, [(0.0, 0.0), *((m["seconds"] / 60, m["elo"]) for m in each.record.matches)]) for each in courses
    ]
    panels.append(_panel(len(CURVES), "rating, Elo", graph("rating", rated, "minutes")))
    height = PANEL * len(panels)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    paper = f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", paper, *panels, "</svg>"]) + "\n"


def _panel(number: int, title: str, drawn: str) -> str:
    place = f'x="0" y="{PANEL * number + 30}" width="{WIDTH}" height="246" overflow="visible"'
    placed = drawn.replace("<svg ", f"<svg {place} ", 1)
    return f'<text x="180" y="{PANEL * number + 20}">{title}</text>\n{placed}'


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--moments", type=click.IntRange(1), default=6, show_default=True, help="Rows of each study.")
@click.option(
    "--picture", "file", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curves to this file."
)
def main(folders: tuple[Path, ...], moments: int, file: Path | None) -> None:
    """Show the learning curves of the studies in FOLDERS."""
    try:
        courses = [course_of(path) for path in folders]
    except StudyError as error:
        raise click.ClickException(str(error)) from None
    print(table(courses, moments))
    if file is not None:
        file.write_text(picture(courses), encoding="utf-8")


if __name__ == "__main__":
    main()
