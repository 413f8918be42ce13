"""`ggp-agent tournament`: matches between many players in many games."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.table import Table

from agent.cli.compiling import CompilingDisplay, say_compiling
from agent.cli.console import console
from agent.cli.hints import naming
from agent.cli.live import MatchBar, failure_lines, score_tables
from agent.cli.outputs import check_outputs
from agent.cli.paths import FILE, FOLDER
from agent.cli.tables import Group, parted
from agent.cluster.arena import cluster_arena
from agent.cluster.connection import check_address
from agent.cluster.errors import ClusterError
from agent.gamemaster.addresses import is_url
from agent.gamemaster.errors import ManagerError
from agent.gamemaster.failures import FailureKind, together
from agent.gamemaster.games import kif_game
from agent.progress import progress_line
from agent.tournament.arena import JudgedGame
from agent.tournament.errors import PlanError
from agent.tournament.export import as_csv, as_json
from agent.tournament.plan import TournamentPlan, read_plan
from agent.tournament.play import OpenArena, Tournament, TournamentObserver
from agent.tournament.report import as_html
from agent.tournament.standings import Requirement, Standing, elo_text, interval_text, read_requirement, standings
from agent.tournament.store import Outcome, ResultStore
from reasoner import load_text
from reasoner.rules.chance import is_chance
from search.files import write_atomically


@click.command()
@click.argument("file", type=FILE)
@click.option("--results", type=FILE, metavar="FILE", help="Database of results. Default: FILE with .sqlite.")
@click.option("--csv", "csv_file", type=FILE, metavar="FILE", help="Write all matches, one line per seat.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write the plan, table and matches.")
@click.option("--html", "html_file", type=FILE, metavar="FILE", help="Write a report with plots.")
@click.option("--require", multiple=True, metavar="EXPR", help="Exit with 1 unless true: 'me>=60' tests a mean score.")
@click.option("--trace", type=FILE, metavar="FILE", help="Append all messages, one JSON object per line.")
@click.option("--log", "logs", type=FOLDER, metavar="DIR", help="Write the players' logs.")
@click.option("--cluster", metavar="ADDRESS", help="Play on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option("--cpus", type=click.IntRange(0), default=0, help="Processors per match on the cluster; 0: one per seat.")
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
    """Play the tournament that FILE describes, or resume it.

    Results are stored after each match. After an interruption, the same command resumes the tournament. If you add
    games or rounds to FILE, only the new matches are played.

    
    FILE is written in TOML. A minimal example:
      games = ["nim", "ticTacToe"]
      [players]
      careful = "mcts"
      careless = "random"

    Other keys, before [players]: rounds, parallel, start_clock, play_clock, style ("round-robin" or "gauntlet" with
    challenger), seed, max_steps, scramble, records.

    Exits with 1 after an interruption, if a requirement failed, or if a local player failed at every move.
    """
    results = results or file.with_suffix(".sqlite")
    check_outputs(file, results, csv_file, json_file, html_file, trace)
    plan = read_plan(file)
    if cluster is not None:
        if logs is not None:
            raise click.UsageError("--log does not work with --cluster: players on a cluster keep their logs there")
        check_address(cluster)
    required = [read_requirement(text, tuple(plan.players)) for text in require]
    boards = _judged_games(plan)
    store = ResultStore(results, plan.fingerprint)
    with contextlib.closing(store), _opened(trace) as trace_file, MatchBar(out := console()) as bar:
        shown = _Display(bar, out)
        session = Tournament(plan, boards, store, shown, trace_file, logs=logs)
        finished, stopped = _play(session, store, cluster_arena(cluster, cpus) if cluster is not None else None)
        outcomes, total, left = store.outcomes(), len(session.pairings()), len(session.left())
    rows = standings(tuple(plan.players), outcomes, [name for name, spec in plan.players.items() if is_url(spec)])
    _write(csv_file, as_csv(outcomes))
    _write(json_file, as_json(plan, rows, outcomes))
    _write(html_file, as_html(plan, rows, outcomes, total))
    _print_tables(rows if outcomes else ())
    for line in failure_lines({name: together(kinds) for name, kinds in shown.failures.items()}, logs):
        click.echo(line, err=True)
    faults = _faults(required, rows)
    for fault in faults:
        click.echo(fault, err=True)
    if stopped is not None:
        raise stopped
    if not finished:
        raise click.ClickException(f"interrupted; {left} matches are left; run the same command to resume")
    ctx.exit(1 if faults else 0)


def _play(
    session: Tournament, store: ResultStore, arena: OpenArena | None
) -> tuple[bool, ManagerError | ClusterError | None]:
    """Play the matches; return whether all were played, and the error that stopped a tournament that has results."""
    try:
        return _run(session, arena), None
    except (ManagerError, ClusterError) as error:
        if not store.outcomes():
            raise
        return False, error


def _judged_games(plan: TournamentPlan) -> dict[str, JudgedGame]:
    """Load the games of the plan, and show the progress of compilation."""
    from reasoner.jit_progress import compiling  # late import: errors in the plan are reported without loading kernels

    with CompilingDisplay() as display, compiling(display.tell):
        return {game: _judged_game(game) for game in plan.games}


def _judged_game(game: str) -> JudgedGame:
    with naming(game):
        sheet = kif_game(game)
        judged = JudgedGame(sheet, load_text(sheet.text, engine="relational"))
    if all(map(is_chance, judged.machine.roles)):
        raise PlanError(f"{game}: the only role is chance, so no player can take part; remove this game from the plan")
    return judged


def _faults(required: Sequence[Requirement], rows: Sequence[Standing]) -> list[str]:
    """Return the reasons for exit code 1: requirements that failed, and players that failed at every move."""
    failed = [f"Requirement failed: {requirement.text}" for requirement in required if not requirement.met(rows)]
    return failed + [f"{row.name} failed at every move" for row in rows if row.hopeless]


class _Display(TournamentObserver):
    """Shows the matches, and collects the players' failures."""

    def __init__(self, bar: MatchBar, out: Console) -> None:
        self._out, self._bar = out, bar
        self._compiling = CompilingDisplay()
        self.failures: dict[str, list[FailureKind]] = {}  # by player

    def begin(self, done: int, total: int) -> None:
        """Start the bar at `done` of `total` matches."""
        self._bar.start(total, done)
        if done:
            self._out.print(f"resuming: {done} of {total} matches are done")

    def waiting(self) -> None:
        """Show that the players are compiling their kernels."""
        say_compiling(self._out)

    def compiling(self, done: int, of: int) -> None:
        """Show the progress of compilation in a player."""
        if self._out.is_terminal:
            self._bar.describe(progress_line(done, of))
        else:
            self._compiling.tell(done, of)

    def nodes(self, count: int, tables: int) -> None:
        """Show the size of the cluster."""
        what = f"{tables} match{'es' * (tables != 1)} at a time" if tables else "no free processors; waiting for nodes"
        self._out.print(f"{count} node{'s' * (count != 1)}: {what}", style="dim")

    def lost(self, game: str) -> None:
        """Show that a match is repeated."""
        self._out.print(f"a node failed; its match of {game} is played again", style="dim")

    def failed(self, failures: Mapping[str, Sequence[FailureKind]]) -> None:
        """Collect failures for the end."""
        for name, kinds in failures.items():
            self.failures.setdefault(name, []).extend(kinds)

    def end(self, outcome: Outcome) -> None:
        """Count one more match."""
        goals = outcome.goals or ("-",) * len(outcome.players)
        seats = ", ".join(f"{who} {goal}" for who, goal in zip(outcome.players, goals, strict=True))
        self._bar.count(f"{outcome.game}: {seats}; {outcome.steps} steps")


def _print_tables(rows: Sequence[Standing]) -> None:
    """Print the standings; without rows, that there is no match yet."""
    out = console()
    if not rows:
        out.print("no match has been played yet")
        return
    ratings = [(elo_text(row), interval_text(row)) for row in rows]
    for table in (*score_tables(rows, out.width, ratings), *crosstables(rows, out.width)):
        out.print(table)
    if any(row.rating for row in rows):
        out.print("Elo: relative to the mean of these players", style="dim")


def crosstables(rows: Sequence[Standing], width: int) -> Iterator[Table]:
    """Tables of the mean score of each row's player against each column's player."""

    def cell(row: Standing, column: Standing) -> str:
        mean = row.against[column.name].mean if column is not row else None
        return "" if mean is None else f"{mean:.1f}"

    groups = [Group((column.name,), [(cell(row, column),) for row in rows]) for column in rows]
    return parted("against", [row.name for row in rows], groups, width)


def _run(session: Tournament, arena: OpenArena | None = None) -> bool:
    """Play the remaining matches; False if interrupted, after an ABORT to the players."""

    async def main() -> bool:
        playing = asyncio.create_task(session.run(arena))

        def stop() -> None:
            if not playing.cancelling():  # a second signal would interrupt the ABORT to the players
                playing.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop)
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
    try:
        yield file
    finally:
        with contextlib.suppress(OSError):  # every line was flushed, so its error is known
            file.close()


def _write(path: Path | None, text: str) -> None:
    """Write a file that the user asked for; None: no file."""
    if path is None:
        return
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}; the results are kept") from None
