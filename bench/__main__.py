"""`python -m bench`: playouts per second of every engine on the bundled games.

Each game is measured with each engine one after the other in this run, and the relational engine is the baseline:
speeds on one machine at one time are compared, never speeds of different days. Writes
`bench/results/<time>.json`; the table in the README is made from such a file.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.games import bundled, find_game
from agent.measure import Speed, measure
from reasoner.errors import ReasonerError
from search.clock import MonotonicClock

BASELINE = "relational"
ENGINES = (BASELINE, "circuit")
RESULTS = Path(__file__).parent / "results"


def machine_described() -> dict[str, object]:
    """The computer that the figures belong to."""
    return {
        "processor": _processor() or platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def measured(game: str, seconds: float, threads: int) -> list[Speed]:
    """The game's speed with each engine that can take it, the baseline first."""
    sheet = find_game(game)
    speeds = []
    for engine in ENGINES:
        try:
            speeds.append(measure(sheet.name, sheet.text, engine, seconds, threads, MonotonicClock()))
        except ReasonerError as error:
            click.echo(f"{game}: {engine}: {error}", err=True)
    return speeds


def with_ratios(speeds: list[Speed]) -> list[dict[str, object]]:
    """The measurements of one game as JSON rows, each with its ratio to the baseline's playouts per second."""
    base = next((speed.playouts_per_s for speed in speeds if speed.engine == BASELINE), None)
    return [asdict(s) | {"ratio": round(s.playouts_per_s / base, 1) if base else None} for s in speeds]


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option(
    "--seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True, help="For each measurement."
)
@click.option("--threads", type=click.IntRange(min=1, max=1024), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def bench(games: tuple[str, ...], seconds: float, threads: int, as_json: bool) -> None:
    """Measure every engine on GAMEs, the bundled ones when none is named."""
    report: dict[str, object] = {"machine": machine_described(), "seconds": seconds, "threads": threads}
    rows = [row for game in games or bundled() for row in with_ratios(measured(game, seconds, threads))]
    report["results"] = rows
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    if as_json:
        click.echo(json.dumps(report, indent=1))
    else:
        console().print(ratio_table(rows))
        click.echo(f"written: {path}")


def ratio_table(rows: list[dict[str, object]]) -> Table:
    """The results for people."""
    table = Table("game", "engine", box=box.SIMPLE)
    for heading in ("build s", "gates", "playouts/s", "states/s", f"x {BASELINE}"):
        table.add_column(heading, justify="right")
    for row in rows:
        figures = (f"{row[key]:,}" for key in ("build_s", "gates", "playouts_per_s", "states_per_s"))
        table.add_row(str(row["game"]), str(row["engine"]), *figures, str(row["ratio"]))
    return table


if __name__ == "__main__":
    bench()
