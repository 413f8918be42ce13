"""Benchmark of all engines and emitters: `python -m bench` measures playouts and search speed.

One run measures each game with every engine and emitter, one after the other. The baseline is the relational engine of
the same run, so that speeds of different days are never compared. Writes `bench/results/<time>.json`, and a Markdown
table with the same name. The table in research/speed.md is such a table.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.games import bundled, find_game
from agent.measure import BuiltMachine, build, measure, measure_tree
from bench.processes import processor_name
from reasoner.compilation import BuildLimits
from reasoner.errors import ReasonerError
from reasoner.lanes.emitters import EMITTERS, best, others
from reasoner.platform_calls import usable_processors
from search import SearchOptions
from search.clock import MonotonicClock

Row = dict[str, object]

BASELINE = "relational"
THREADS = (1, 2)
RESULTS = Path(__file__).parent / "results"
COLUMNS = {
    "game": "game",
    "engine": "engine",
    "emitter": "emitter",
    "threads": "threads",
    "build_s": "build s",
    "gates": "gates",
    "playouts_per_s": "playouts/s",
    "states_per_s": "states/s",
    "processor_share": "of a processor",
    "ns_per_gate": "ns a gate",
    "share_of_limit": "of limit",
    "simulations_per_s": "simulations/s",
    "tree_playouts_per_s": "playouts/s in the tree",
    "ratio": f"x {BASELINE}",
}


def machine_described() -> Row:
    """Describe the computer of the measurements."""
    return {
        "processor": processor_name(),
        "cores": usable_processors(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "lanes": best(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def machines(game: str, engines: tuple[str, ...]) -> Iterator[BuiltMachine]:
    """Yield the machine of the game for each engine that supports the game, the baseline first."""
    sheet, clock = find_game(game), MonotonicClock()
    for engine in engines:
        name, emitter = ("circuit", engine) if engine in EMITTERS else (engine, None)
        try:
            yield build(sheet.name, sheet.text, name, BuildLimits(emitter=emitter), clock)
        except ReasonerError as error:
            click.echo(f"{game}: {engine}: {error}", err=True)


def measured(game: str, engines: tuple[str, ...], seconds: float, tree: bool) -> list[Row]:
    """Return all measurements of a game, each with the ratio of its playouts per second to the baseline's."""
    rows: list[Row] = []
    clock, base = MonotonicClock(), None
    for built in machines(game, engines):
        for threads in THREADS if built.machine.engine == "circuit" else (1,):
            speed = measure(built, seconds, threads, clock)
            base = speed.playouts_per_s if speed.engine == BASELINE else base
            row = asdict(speed) | {"ratio": round(speed.playouts_per_s / base, 1) if base else None}
            if tree:
                row |= asdict(measure_tree(built, seconds, SearchOptions(threads=threads), clock))
            rows.append(row)
    return rows


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option(
    "--engine",
    "engines",
    type=click.Choice((BASELINE, *EMITTERS)),
    multiple=True,
    default=(BASELINE, best(), *others()),
    help="What to measure: the relational engine, or circuits of an emitter; may be repeated.  [default: all]",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True, help="Seconds for each measurement."
)
@click.option("--tree/--no-tree", default=True, show_default=True, help="Also measure the search.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def bench(games: tuple[str, ...], engines: tuple[str, ...], seconds: float, tree: bool, as_json: bool) -> None:
    """Measure every engine on GAMEs, by default the bundled ones."""
    report: Row = {"machine": machine_described(), "seconds": seconds}
    rows = [row for game in games or bundled() for row in measured(game, engines, seconds, tree)]
    report["results"] = rows
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    path.with_suffix(".md").write_text(markdown(rows))
    if as_json:
        click.echo(json.dumps(report, indent=1))
    else:
        console().print(table_of(rows))
        click.echo(f"written: {path} and {path.with_suffix('.md').name}")


def cells(row: Row) -> list[str]:
    """Return the figures of one measurement as text."""
    return [_cell(row.get(key)) for key in COLUMNS]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def table_of(rows: list[Row]) -> Table:
    """Format the results as a console table."""
    table = Table(box=box.SIMPLE)
    for key, heading in COLUMNS.items():
        table.add_column(heading, justify="left" if key in ("game", "engine", "emitter") else "right")
    for row in rows:
        table.add_row(*cells(row))
    return table


def markdown(rows: list[Row]) -> str:
    """Format the results as a Markdown table."""
    lines = [list(COLUMNS.values()), ["---"] * len(COLUMNS), *map(cells, rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    bench()
