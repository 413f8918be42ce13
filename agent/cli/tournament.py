"""`ggp-agent tournament`: many matches between many players at many games."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agent.cli.compiling import CompilingDisplay
from agent.cli.console import console
from agent.cli.live import ERROR_HEADINGS, failed_cell, failure_lines
from agent.cli.tables import Group, parted
from agent.cluster.arena import cluster_arena
from agent.cluster.connection import check_address
from agent.gamemaster.failures import FailureKind, together
from agent.gamemaster.games import kif_game
from agent.gamemaster.local import COMPILING
from agent.gamemaster.series import is_url
from agent.progress import progress_line
from agent.tournament.arena import JudgedGame
from agent.tournament.export import as_csv, as_json
from agent.tournament.plan import read_plan
from agent.tournament.play import OpenArena, Tournament, TournamentObserver
from agent.tournament.report import as_html
from agent.tournament.standings import KINDS, Standing, elo_text, interval_text, read_requirement, standings
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
@click.option(
    "--log", "logs", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Keep the players' logs."
)
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
    logs: Path | None,
    cluster: str | None,
    cpus: int,
) -> None:
    """Play the tournament that FILE describes, or what is left of it.

    Results are kept as they come. When it is interrupted, the same command goes on, and plays nothing twice. With more
    games or rounds in FILE, only what is new is played. docs/how-to/tournaments.md shows a whole FILE.

    Ends with 1 when it was interrupted, a requirement is not met, or a player of this machine failed at every move.
    """
    plan = read_plan(file)
    if cluster is not None:
        if logs is not None:
            raise click.UsageError("the players of a cluster keep their logs there; leave --log or --cluster out")
        check_address(cluster)
    required = [read_requirement(text, tuple(plan.players)) for text in require]
    from reasoner.jit_progress import compiling  # late: a plan that is wrong is told of without kernels

    with CompilingDisplay() as display, compiling(display.tell):
        boards = {
            game: JudgedGame(sheet := kif_game(game), load(sheet.text, engine="relational")) for game in plan.games
        }
    store = ResultStore(results or file.with_suffix(".sqlite"), plan.fingerprint)
    with contextlib.closing(store), _opened(trace) as trace_file, _Bar() as bar:
        session = Tournament(plan, boards, store, bar, trace_file, logs=logs)
        finished = _run(session, cluster_arena(cluster, cpus) if cluster is not None else None)
        outcomes, total = store.outcomes(), len(session.pairings())
    elsewhere = [name for name, spec in plan.players.items() if is_url(spec)]
    rows = standings(tuple(plan.players), outcomes, elsewhere)
    for path, text in (
        (csv_file, as_csv(outcomes)),
        (json_file, as_json(plan, rows, outcomes)),
        (html_file, as_html(plan, rows, outcomes, total)),
    ):
        if path is not None:
            _write(path, text)
    if outcomes:
        _print_tables(rows)
    else:
        console().print("no match has been played yet")
    for line in failure_lines({name: together(kinds) for name, kinds in bar.failures.items()}, logs):
        click.echo(line, err=True)
    failed = [requirement.text for requirement in required if not requirement.met(rows)]
    for text in failed:
        click.echo(f"not so: {text}", err=True)
    hopeless = [row.name for row in rows if row.hopeless]
    for name in hopeless:
        click.echo(f"{name} failed at every move", err=True)
    if not finished:
        left = total - len(outcomes)
        raise click.ClickException(f"interrupted; {left} matches are left: the same command goes on with them")
    ctx.exit(1 if failed or hopeless else 0)


class _Bar(TournamentObserver):
    """A progress bar with the remaining time on a terminal, a line for each match elsewhere."""

    def __init__(self) -> None:
        self._out = console()
        self._display = CompilingDisplay()
        self._done = self._total = 0
        self.failures: dict[str, list[FailureKind]] = {}  # by player
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

    def failed(self, failures: Mapping[str, Sequence[FailureKind]]) -> None:
        """To be told in the end."""
        for name, kinds in failures.items():
            self.failures.setdefault(name, []).extend(kinds)

    def end(self, outcome: Outcome) -> None:
        """One more."""
        self._done += 1
        self._bar.update(self._task, description="matches", advance=1)
        if not self._out.is_terminal:
            goals = outcome.goals or ("-",) * len(outcome.players)
            seats = ", ".join(f"{who} {goal}" for who, goal in zip(outcome.players, goals, strict=True))
            self._out.print(f"{self._done}/{self._total}  {outcome.game}: {seats}; {outcome.steps} steps")


def _print_tables(rows: Sequence[Standing]) -> None:
    out = console()
    for table in (*score_tables(rows, out.width), *crosstables(rows, out.width)):
        out.print(table)
    if any(row.rating for row in rows):
        out.print("Elo: the mean of all players here is 0", style="dim")


def score_tables(rows: Sequence[Standing], width: int) -> Iterator[Table]:
    """The table for people."""
    scores = [(str(row.score.count), *row.score.shown()) for row in rows]
    ratings = [(elo_text(row), interval_text(row)) for row in rows]
    wrong = [(*(str(row.errors[kind]) for kind in KINDS), failed_cell(row.failed)) for row in rows]
    groups = [
        Group(("matches", "mean", "95% interval"), scores),
        Group(("Elo", "95% interval"), ratings),
        Group((*ERROR_HEADINGS, "failed"), wrong),
    ]
    return parted("player", [row.name for row in rows], groups, width)


def crosstables(rows: Sequence[Standing], width: int) -> Iterator[Table]:
    """The mean score of each row's player in matches with each column's."""

    def cell(row: Standing, column: Standing) -> str:
        mean = row.against[column.name].mean if column is not row else None
        return "" if mean is None else f"{mean:.1f}"

    groups = [Group((column.name,), [(cell(row, column),) for row in rows]) for column in rows]
    return parted("against", [row.name for row in rows], groups, width)


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
