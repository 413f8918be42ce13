"""Benchmark of builds: `python -m bench.builds` times each stage from a rulesheet's text to the first playout.

Wall seconds are the time that a match would wait under the present load. CPU seconds are the work of each stage, in
this process (read, load, first playout) and in the build's process. As in an agent, builds are forked from a process
that has loaded the kernels. Large games are first played with baseline code, see `agent.worker.engines`.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.worker.engines import MIN_BASELINE_GATES
from reasoner import warm_up
from reasoner.compilation import BuildLimits, CircuitBuild
from reasoner.compilation.build_messages import BASELINE_CODE
from reasoner.compilation.stages import STAGES
from reasoner.errors import ReasonerError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.bundled import GAMES
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

UNITS = {"memory": "MiB"}
HERE = "here"
"""Name of the work that is done in this process."""
ALL = (*STAGES[: STAGES.index("optimize")], BASELINE_CODE, *STAGES[STAGES.index("optimize") :])


@dataclass
class BuildTimes:
    """Times of one game, in seconds; `fault` says why there is no circuit."""

    game: str
    wall: float = 0.0
    cpu: float = 0.0  # CPU seconds of all stages
    first: float = 0.0  # CPU seconds until the baseline code; for a game without it, those of the whole build
    stages: dict[str, float] = field(default_factory=dict)  # CPU seconds by stage; the key HERE is this process
    gates: int = 0
    memory: float = 0.0  # peak resident MiB of the build's process, including its libraries and compiled code
    fault: str = ""


def timed(path: Path, limits: BuildLimits) -> BuildTimes:
    """Time the path from the text of a rulesheet to the end of its first playout."""
    times = BuildTimes(path.stem)
    text = path.read_text(encoding="utf-8", errors="replace")
    wall, cpu = time.perf_counter(), time.process_time()
    build = None
    try:
        program, _ = read_program(text)
        relational = RelationalMachine(program)
        build = CircuitBuild(program, replace(limits, baseline_from_gates=MIN_BASELINE_GATES))
        machine = CircuitMachine(build.result(), relational)
        machine.playouts(machine.initial(), 1, seed=1)
        times.gates = machine.sizes.gates
    except ReasonerError as error:
        times.fault = f"{build.stage if build else 'read'}: {error}"
    times.wall = time.perf_counter() - wall
    times.stages = {HERE: time.process_time() - cpu, **(build.seconds if build else {})}
    times.memory = build.memory if build else 0.0
    times.cpu = sum(times.stages.values())
    after = STAGES[STAGES.index("optimize") :] if BASELINE_CODE in times.stages else ()
    times.first = times.cpu - sum(times.stages.get(stage, 0.0) for stage in after)
    return times


def summary(built: Sequence[BuildTimes]) -> dict[str, dict[str, float]]:
    """Return the median, 95th percentile and maximum of the builds' `wall`, `cpu`, `first` and `memory`."""
    return {kind: _spread([getattr(times, kind) for times in built]) for kind in ("wall", "cpu", "first", "memory")}


def _spread(seconds: list[float]) -> dict[str, float]:
    if len(seconds) < 2:
        seconds = 2 * (seconds or [0.0])
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return {"median": statistics.median(seconds), "95%": cuts[-1], "most": max(seconds)}


def table(all_times: Sequence[BuildTimes]) -> Table:
    """Format the figures as a table, the longest builds first."""
    shown = Table("game", box=box.SIMPLE)
    for heading in ("gates", "MiB", "wall s", "cpu s", "first s", HERE, *ALL):
        shown.add_column(heading, justify="right")
    for times in sorted(all_times, key=lambda times: -times.cpu):
        stages = (f"{times.stages[stage]:.3f}" if stage in times.stages else "" for stage in (HERE, *ALL))
        size = f"{times.gates:,}" if not times.fault else "none"
        shown.add_row(
            times.game,
            size,
            f"{times.memory:,.0f}",
            f"{times.wall:.3f}",
            f"{times.cpu:.3f}",
            f"{times.first:.3f}",
            *stages,
        )
    return shown


def _files(given: Path) -> list[Path]:
    return sorted(given.glob("*.kif")) if given.is_dir() else [given]


@click.command()
@click.argument("games", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[FILE|FOLDER]...")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="Time limit of a build.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def main(games: tuple[Path, ...], seconds: float, as_json: bool) -> None:
    """Time the builds of rulesheets, or of all rulesheets in folders; by default of the bundled games."""
    paths = [path for given in games or (GAMES,) for path in _files(given)]
    warm_up()
    results = []
    for path in paths:
        results.append(timed(path, BuildLimits(seconds)))
        click.echo(f"{path.stem} {results[-1].wall:.3f} {results[-1].fault}", err=True)
    built = [times for times in results if not times.fault]
    if as_json:
        click.echo(json.dumps({"games": [asdict(times) for times in results], "summary": summary(built)}, indent=1))
        return
    console().print(table(results))
    for kind, figures in summary(built).items():
        click.echo(
            f"{kind}: " + ", ".join(f"{name} {value:.3f} {UNITS.get(kind, 's')}" for name, value in figures.items())
        )
    for times in results:
        if times.fault:
            click.echo(f"not built: {times.game}: {times.fault}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
