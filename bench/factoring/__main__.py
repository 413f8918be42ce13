"""Benchmark of factoring: `python -m bench.factoring` searches compound one-role games with factoring and without.

First a table of games: the best score and its cost, with factoring and without, for the time of a start clock of 20 s
and a play clock of 2 s. Then copies of Buttons and Lights that must all be solved: the time to a proven plan by the
number of copies. All times are processor seconds of one thread.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from bench.__main__ import machine_described
from bench.factoring.copies import copies
from bench.factoring.growth import Series, fitted, plot
from bench.factoring.runs import Run, planned, searched, solved
from reasoner import load
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.bundled import GAMES
from search import warm_up

BUNDLED = ("bestButtons", "fusedButtons", "multipleButtons", "jointButtons", "allButtons")
PUBLIC = (
    "asteroidsParallel",
    "asteroidsSerial",
    "blocksWorldParallel",
    "blocksWorldSerial",
    "snakeParallel",
    "incredible",
    "factoringMutuallyAssuredDestruction",
    "factoringGeorgeForman",
    "factoringEasyTurtleBrain",
    "factoringMediumTurtleBrain",
    "factoringImpossibleTurtleBrain",
)
OWN = GAMES
REPEATS = 9


def machine_of(rules: str | Path) -> CircuitMachine:
    """Return the compiled machine of a rulesheet."""
    machine = load(rules, "circuit")
    assert isinstance(machine, CircuitMachine)
    return machine


def compared(file: Path, seconds: float) -> dict[str, object]:
    """Measure one game, with factoring and without."""
    machine = machine_of(file)
    runs = {way: searched(machine, seconds, factoring=way == "apart") for way in ("apart", "whole")}
    click.echo(_line(file.stem, runs["apart"], runs["whole"]))
    return {"game": file.stem, **{way: asdict(run) for way, run in runs.items()}}


def _line(name: str, apart: Run, whole: Run) -> str:
    """Format a row of the table in research/factoring.md."""
    cells = [name, apart.factors or "whole"]
    for run in (apart, whole):
        proof = "no" if run.proof is None else f"{run.proof:.2f}"
        cells += [f"{run.score:.0f}", f"{run.seconds:.2f}", proof, f"{run.states:,}", f"{run.simulations:,}"]
    return f"| {' | '.join(cells)} |"


def grown(most: int, limit: float) -> dict[str, Series]:
    """Return seconds to a proven plan by the number of copies; a method that was cut off once is not tried again."""
    found: dict[str, list[tuple[int, float]]] = {"apart": [], "table": [], "tree": []}
    going = set(found)
    for count in range(1, most + 1):
        machine = machine_of(copies(count))
        ways = {
            "apart": lambda machine=machine: planned(machine, limit, factored=True),
            "table": lambda machine=machine: planned(machine, limit, factored=False),
            "tree": lambda machine=machine: solved(machine, limit),
        }
        for name in sorted(going):
            times = [ways[name]() for _ in range(REPEATS if name == "apart" else 1)]
            seconds = [time[0] if isinstance(time, tuple) else time for time in times if time is not None]
            if seconds:
                found[name].append((count, min(seconds)))
            else:
                going.discard(name)
        told = ", ".join(f"{name} {series[-1][1]:.3f} s" for name, series in found.items() if name in going)
        click.echo(f"{count} copies: {told}")
    return dict(found)


@click.command()
@click.option("--games", type=click.Path(exists=True, path_type=Path), help="The folder of the public rulesheets.")
@click.option("--seconds", default=22.0, show_default=True)
@click.option("--copies", "most", default=10, show_default=True, help="Most copies; 0: none.")
@click.option("--limit", default=60.0, show_default=True, help="Seconds after which a number of copies is given up.")
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the times by copies to this file.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report to this file.")
@click.option("--only", multiple=True, help="Names of games; default: all.")
def main(
    games: Path | None,
    seconds: float,
    most: int,
    limit: float,
    picture: Path | None,
    output: Path | None,
    only: tuple[str, ...],
) -> None:
    """Measure and print."""
    warm_up()
    planned(machine_of(copies(2)), limit, factored=True)  # compiles everything before the measurement
    files = [OWN / f"{name}.kif" for name in BUNDLED]
    files += [games / f"{name}.kif" for name in PUBLIC] if games else []
    report: dict[str, object] = {"machine": machine_described(), "seconds": seconds}
    report["games"] = [compared(file, seconds) for file in files if not only or file.stem in only]
    if most:
        series = grown(most, limit)
        slope, start, explained = fitted(series["apart"])
        click.echo(f"{1e3 * slope:.2f} ms a copy and {1e3 * start:.1f} ms; the line explains {explained:.1%}")
        report["copies"] = {**series, "slope": slope, "start": start, "explained": explained}
        if picture:
            plot(series["apart"], series["table"], series["tree"], limit, picture)
    if output:
        output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
