"""Benchmark of puzzles: `python -m bench.puzzles --games FOLDER --seeds 1,2,3 --cores 0,1` plays one-role games.

The games are played over HTTP; the local manager enforces the clocks. There is one match at a time per core, each with
its own agent on this core. When a match ends, the program writes a line to a CSV file: the score, the steps, the
duration, the seconds until the first move, the number of late or illegal answers, the step from which the agent had
proven its line optimal, and the method that found the line. Matches in the file are not played again, so an interrupted
run can continue. Use another `--out` for other clocks or another version.

`--table` prints the file as a table of all seeds and plays nothing.
"""

from __future__ import annotations

import asyncio
import csv
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import get_type_hints

import click

import reasoner
from agent.gamemaster.conditions import Conditions
from agent.gamemaster.errors import PlayerError
from agent.gamemaster.games import bundled, find_game
from agent.gamemaster.local import SERVE, Agents
from agent.gamemaster.match import ManagedMatch, PlayedStep
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import available
from reasoner.errors import ReasonerError
from reasoner.machine import Machine
from search.clock import MonotonicClock

RESULT = Path(__file__).parent / "results" / "puzzles.csv"
SPEC = "mcts:threads=1,seed={seed}"
INFO_SECONDS = 1.0
PINNED = Path(__file__).parent / "strength" / "pinned.py"


@dataclass(frozen=True)
class Row:
    """One match."""

    game: str
    seed: int
    score: int
    steps: int
    seconds: float
    first: float  # seconds until the first move
    faults: int  # answers that were late or illegal
    proven: int  # the step from which the agent had proven its line optimal; 0 if it reports none
    by: str  # method that found the played line


@dataclass(frozen=True)
class Job:
    """A match to play."""

    seed: int
    sheet: Rulesheet


def games_in(folder: Path | None) -> Iterator[Rulesheet]:
    """Yield the rulesheets of one role."""
    for name in sorted(map(str, folder.glob("*.kif"))) if folder else bundled():
        sheet = find_game(name)
        try:
            roles = reasoner.load(sheet.text, "relational").roles
        except ReasonerError as error:
            click.echo(f"{name}: {error}", err=True)
            continue
        if len(roles) == 1:
            yield sheet


async def played(player: RemotePlayer, sheet: Rulesheet, machine: Machine, terms: Conditions) -> Row:
    """Play one match."""
    figures: dict[str, str] = {}
    steps: list[float] = []

    async def on_step(_: PlayedStep) -> None:
        steps.append(time.monotonic())
        if figures.get("solved") != "yes":
            figures.update(await player.info(INFO_SECONDS))
            figures["at"] = str(len(steps))

    await available(player, False, MonotonicClock())
    began = time.monotonic()
    setup = terms.setup(1, sheet, machine, lambda _: [player], str(terms.seed), time.time)
    record = await ManagedMatch(setup, on_step).play()
    ended = time.monotonic()
    faults = sum(bool(error) for row in record.errors for error in row)
    return Row(
        Path(sheet.name).stem,
        terms.seed,
        record.goals[0] or 0,
        len(record.moves),
        round(ended - began, 1),
        round((steps[0] if steps else ended) - began, 1),
        faults,
        int(figures["at"]) if figures.get("solved") == "yes" else 0,
        figures.get("by", ""),
    )


def known(out: Path) -> list[Row]:
    """Return the matches of a file; an incomplete last line is ignored."""
    if not out.exists():
        return []
    names, types = [field.name for field in fields(Row)], get_type_hints(Row)
    with out.open(newline="") as source:
        rows = [line for line in csv.DictReader(source) if None not in line.values() and list(line) == names]
    return [Row(**{name: types[name](line[name]) for name in names}) for line in rows]


class Sink:
    """A file of matches: its rows, and a writer for new rows."""

    def __init__(self, out: Path) -> None:
        self.rows = known(out)
        out.parent.mkdir(exist_ok=True)
        self._file = out.open("w", newline="")
        self._writer = csv.DictWriter(self._file, [field.name for field in fields(Row)])
        self._writer.writeheader()
        self._writer.writerows(map(asdict, self.rows))
        self._file.flush()

    def add(self, row: Row) -> None:
        """Add a match; it is on the disk when this method returns."""
        self.rows.append(row)
        self._writer.writerow(asdict(row))
        self._file.flush()
        click.echo(
            f"{row.game:36} {row.seed} {row.score:4} {row.steps:4} steps {row.seconds:6.1f} s  {row.proven:3} {row.by}"
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()


async def play_on(core: str, jobs: deque[Job], terms: Conditions, sink: Sink) -> None:
    """Play the remaining matches one after the other, by an agent on a core (`-`: on any core)."""
    while jobs:
        seed = jobs[0].seed
        command = (sys.executable, str(PINNED), core, ".", *SERVE)
        async with Agents([SPEC.format(seed=seed)], command) as agents, session() as http:
            player = RemotePlayer(http, "mcts", agents[0].url)
            while jobs and jobs[0].seed == seed:
                sheet = jobs.popleft().sheet
                machine = await asyncio.to_thread(reasoner.load, sheet.text, "relational")
                sink.add(await played(player, sheet, machine, replace(terms, seed=seed)))


async def play_all(jobs: deque[Job], cores: tuple[str, ...], terms: Conditions, sink: Sink) -> None:
    """Play all matches, one at a time on each core."""
    async with asyncio.TaskGroup() as group:
        for core in cores:
            group.create_task(play_on(core, jobs, terms, sink))


def table(rows: list[Row]) -> Iterator[str]:
    """Yield a line of Markdown for each game, with the results of all seeds."""
    seeds = sorted({row.seed for row in rows})
    yield f"| game | score, seeds {', '.join(map(str, seeds))} | steps | seconds | proven from step | by |"
    yield "|---|---:|---:|---:|---:|---|"
    for game in sorted({row.game for row in rows}):
        own = sorted((row for row in rows if row.game == game), key=lambda row: row.seed)
        cells = [
            _alike(str(row.score) for row in own),
            _alike(str(row.steps) for row in own),
            _alike(f"{row.seconds:.1f}" for row in own),
            _alike(str(row.proven or "-") for row in own),
            _alike(row.by for row in own),
        ]
        yield f"| {game} | {' | '.join(cells)} |"


def _alike(texts: Iterable[str]) -> str:
    """Return the common text if all texts are equal, else all texts."""
    every = list(texts)
    return every[0] if len(set(every)) == 1 else ", ".join(every)


def whole_numbers(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, ...]:
    """Parse a list such as 1,2,3."""
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a list of whole numbers: give a list such as 1,2,3") from error


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option(
    "--games", "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="A folder of rulesheets."
)
@click.option("--start-clock", default=15.0, show_default=True)
@click.option("--play-clock", default=2.0, show_default=True)
@click.option("--seeds", default="1", show_default=True, callback=whole_numbers, help="A list such as 1,2,3.")
@click.option("--cores", default="", callback=whole_numbers, help="Cores such as 0,1; each runs one match at a time.")
@click.option("--table", "shown", is_flag=True, help="Print the file's results; play nothing.")
@click.option("--out", default=RESULT, show_default=True, type=click.Path(dir_okay=False, path_type=Path))
def main(
    games: tuple[str, ...],
    folder: Path | None,
    start_clock: float,
    play_clock: float,
    seeds: tuple[int, ...],
    cores: tuple[int, ...],
    shown: bool,
    out: Path,
) -> None:
    """Play GAMEs, or those of one role in a folder; by default the bundled ones."""
    if shown:
        for line in table(known(out)):
            click.echo(line)
        return
    sheets = [find_game(game) for game in games] if games else list(games_in(folder))
    terms, sink = Conditions(start_clock=start_clock, play_clock=play_clock), Sink(out)
    done = {(row.game, row.seed) for row in sink.rows}
    jobs = deque(Job(seed, sheet) for seed in seeds for sheet in sheets if (Path(sheet.name).stem, seed) not in done)
    try:
        asyncio.run(play_all(jobs, tuple(map(str, cores)) or ("-",), terms, sink))
    except* PlayerError as errors:
        sys.exit(str(errors.exceptions[0]))
    finally:
        sink.close()


if __name__ == "__main__":
    main()
