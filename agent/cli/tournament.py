"""`ggp-agent tournament`: many matches between many players at many games."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import click
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agent.cli.compiling import CompilingDisplay
from agent.cli.console import console
from agent.cluster.arena import cluster_arena
from agent.cluster.connection import check_address
from agent.gamemaster.games import kif_game
from agent.gamemaster.local import COMPILING
from agent.progress import progress_line
from agent.tournament.arena import JudgedGame
from agent.tournament.export import as_csv, as_json
from agent.tournament.plan import read_plan
from agent.tournament.play import OpenArena, Tournament, TournamentObserver
from agent.tournament.report import as_html
from agent.tournament.standings import KINDS, Standing, read_requirement, standings
from agent.tournament.store import Outcome, ResultStore
from reasoner import load

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=FILE)
@click.option("--results", type=FILE, metavar="FILE", help="Where results are kept; FILE with .sqlite otherwise.")
@click.option("--csv", "csv_file", type=FILE, metavar="FILE", help="Write every match, a line for each seat.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write plan, table and matches.")
@click.option("--html", "html_file", type=FILE, metavar="FILE", help="Write a report with plots.")
@click.option("--require", multiple=True, metavar="EXPR", help="End with 1 unless so: 'me>=60' is a mean score.")
@click.option("--trace", type=FILE, metavar="FILE", help="Add everything sent and received, a line of JSON each.")
@click.option("--cluster", metavar="ADDRESS", help="Play on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option("--cpus", type=click.IntRange(0), default=0, help="Processors of a match there; 0: one for each seat.")
@click.pass_context
def tournament(
    ctx: click.Context,
    file: Path,
    results: Path | None,
    csv_file: Path | None,
    json_file: Path | None,
    html_file: Path | None,
    require: tuple[str, ...],
    trace: Path | None,
    cluster: str | None,
    cpus: int,
) -> None:
    """Play the tournament that FILE describes, or what is left of it.

    Results are kept as they come. When it is interrupted, the same command goes on, and plays nothing twice. With more
    games or rounds in FILE, only what is new is played. docs/how-to/tournaments.md shows a whole FILE.
    """
    plan = read_plan(file)
    if cluster is not None:
        check_address(cluster)
    required = [read_requirement(text, tuple(plan.players)) for text in require]
    from reasoner.compiling import compiling  # late: a plan that is wrong is told of without kernels

    with CompilingDisplay() as display, compiling(display.tell):
        boards = {
            game: JudgedGame(sheet := kif_game(game), load(sheet.text, engine="relational")) for game in plan.games
        }
    store = ResultStore(results or file.with_suffix(".sqlite"), plan.fingerprint)
    with contextlib.closing(store), _opened(trace) as trace_file, _Bar() as bar:
        session = Tournament(plan, boards, store, bar, trace_file)
        finished = _run(session, cluster_arena(cluster, cpus) if cluster is not None else None)
        outcomes, total = store.outcomes(), len(session.pairings())
    rows = standings(tuple(plan.players), outcomes)
    for path, text in (
        (csv_file, as_csv(outcomes)),
        (json_file, as_json(plan, rows, outcomes)),
        (html_file, as_html(plan, rows, outcomes, total)),
    ):
        if path is not None:
            _write(path, text)
    console().print(score_table(rows))
    console().print(crosstable(rows))
    failed = [requirement.text for requirement in required if not requirement.met(rows)]
    for text in failed:
        click.echo(f"not so: {text}", err=True)
    if not finished:
        left = total - len(outcomes)
        raise click.ClickException(f"interrupted; {left} matches are left: the same command goes on with them")
    ctx.exit(1 if failed else 0)


class _Bar(TournamentObserver):
    """A progress bar with the remaining time on a terminal, a line for each match elsewhere."""

    def __init__(self) -> None:
        self._out = console()
        self._display = CompilingDisplay()
        self._done = self._total = 0
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        self._bar = Progress(*columns, console=self._out, disable=not self._out.is_terminal)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, done: int, total: int) -> None:
        """The bar, where it stands."""
        self._done, self._total = done, total
        self._bar.start()
        self._task = self._bar.add_task("matches", total=total, completed=done)
        if done:
            self._out.print(f"{done} of {total} matches were played before")

    def waiting(self) -> None:
        """Why nothing begins."""
        self._out.print(COMPILING, style="dim")

    def compiling(self, done: int, of: int) -> None:
        """How far a player's first start has come."""
        if self._out.is_terminal:
            self._bar.update(self._task, description=progress_line(done, of))
        else:
            self._display.tell(done, of)

    def nodes(self, count: int, tables: int) -> None:
        """What the cluster is now."""
        what = f"{tables} match{'es' * (tables != 1)} at a time" if tables else "no room for a match; waiting for nodes"
        self._out.print(f"{count} node{'s' * (count != 1)}: {what}", style="dim")

    def lost(self, game: str) -> None:
        """Why a match takes so long."""
        self._out.print(f"a match of {game} was lost with its node, and is played again", style="dim")

    def end(self, outcome: Outcome) -> None:
        """One more."""
        self._done += 1
        self._bar.update(self._task, description="matches", advance=1)
        if not self._out.is_terminal:
            goals = outcome.goals or ("-",) * len(outcome.players)
            seats = ", ".join(f"{who} {goal}" for who, goal in zip(outcome.players, goals, strict=True))
            self._out.print(f"{self._done}/{self._total}  {outcome.game}: {seats}; {outcome.steps} steps")


def score_table(rows: Sequence[Standing]) -> Table:
    """The table for people."""
    table = Table("player", box=box.SIMPLE)
    for heading in ("matches", "mean", "95% interval", "Elo", "95% interval", "time-outs", "illegal", "lost"):
        table.add_column(heading, justify="right")
    for row in rows:
        score, rating = row.score, row.rating
        elo = (f"{rating.elo:+.0f}", f"{rating.low:+.0f} .. {rating.high:+.0f}") if rating else ("", "")
        table.add_row(row.name, str(score.count), *score.shown(), *elo, *(str(row.errors[kind]) for kind in KINDS))
    return table


def crosstable(rows: Sequence[Standing]) -> Table:
    """The mean score of each row's player in matches with each column's."""
    table = Table("against", box=box.SIMPLE)
    for row in rows:
        table.add_column(row.name, justify="right")
    for row in rows:
        cells = [row.against[other.name] if other is not row else None for other in rows]
        table.add_row(row.name, *("" if cell is None or cell.mean is None else f"{cell.mean:.1f}" for cell in cells))
    return table


def _run(session: Tournament, arena: OpenArena | None = None) -> bool:
    """Plays what is left; False when interrupted, after the players were told."""

    async def main() -> bool:
        playing = asyncio.create_task(session.run(arena))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, playing.cancel)
        try:
            await playing
        except asyncio.CancelledError:
            return False
        return True

    return asyncio.run(main())


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None
    with file:
        yield file


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}; the results are kept") from None
