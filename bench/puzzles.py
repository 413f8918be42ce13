"""`python -m bench.puzzles --games FOLDER`: every game of one role there, played over HTTP, and how it was solved.

One agent plays all matches, one after the other, each kept to the clocks by the local manager. Writes a CSV file, a
line as each match ends: the score, the steps, the seconds of the match and of its first answer, answers that were late
or illegal, the step from which on the agent had proven that there is nothing better, and who found the way.
"""

from __future__ import annotations

import asyncio
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TextIO

import click

import reasoner
from agent.gamemaster.conditions import Conditions
from agent.gamemaster.errors import PlayerError
from agent.gamemaster.games import bundled, find_game
from agent.gamemaster.local import Agents
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


@dataclass(frozen=True)
class Row:
    """One match."""

    game: str
    seed: int
    score: int
    steps: int
    seconds: float
    first: float  # seconds until START was answered
    faults: int  # answers that were late or no legal move
    proven: int  # the step from which on the agent knew that there is nothing better; 0 where it does not tell
    by: str  # whose line was played


def games_in(folder: Path | None) -> Iterator[Rulesheet]:
    """The rulesheets of one role."""
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
    """One match."""
    told: dict[str, str] = {}
    steps: list[float] = []

    async def on_step(_: PlayedStep) -> None:
        steps.append(time.monotonic())
        if told.get("solved") != "yes":
            told.update(await player.info(INFO_SECONDS))
            told["at"] = str(len(steps))

    await available(player, False, MonotonicClock())
    began = time.monotonic()
    setup = terms.setup(1, sheet, machine, lambda _: [player], str(terms.seed), time.time)
    record = await ManagedMatch(setup, on_step).play()
    ended = time.monotonic()
    first = (record.state_times[0] - record.start_time) / 1000
    faults = sum(bool(error) for row in record.errors for error in row)
    return Row(
        Path(sheet.name).stem,
        terms.seed,
        record.goals[0] or 0,
        len(record.moves),
        round(ended - began, 1),
        round(first, 1),
        faults,
        int(told["at"]) if told.get("solved") == "yes" else 0,
        told.get("by", ""),
    )


async def play_all(sheets: list[Rulesheet], terms: Conditions, sink: TextIO) -> int:
    """Play all games; how many ended with less than 100 points."""
    writer = csv.DictWriter(sink, [field.name for field in fields(Row)])
    writer.writeheader()
    less = 0
    async with Agents([SPEC.format(seed=terms.seed)]) as agents, session() as http:
        player = RemotePlayer(http, "mcts", agents[0].url)
        for sheet in sheets:
            row = await played(player, sheet, reasoner.load(sheet.text, "relational"), terms)
            writer.writerow(asdict(row))
            sink.flush()
            less += row.score < 100
            click.echo(f"{row.game:36} {row.score:4} {row.steps:4} steps {row.seconds:6.1f} s  {row.proven:3} {row.by}")
    return less


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option("--games", "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Of rulesheets.")
@click.option("--start-clock", default=15.0, show_default=True)
@click.option("--play-clock", default=2.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--out", default=RESULT, show_default=True, type=click.Path(dir_okay=False, path_type=Path))
def main(
    games: tuple[str, ...], folder: Path | None, start_clock: float, play_clock: float, seed: int, out: Path
) -> None:
    """Play GAMEs, or those of one role in a folder; without either the bundled ones."""
    sheets = [find_game(game) for game in games] if games else list(games_in(folder))
    out.parent.mkdir(exist_ok=True)
    terms = Conditions(start_clock=start_clock, play_clock=play_clock, seed=seed)
    try:
        with out.open("w", newline="") as sink:
            asyncio.run(play_all(sheets, terms, sink))
    except PlayerError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
