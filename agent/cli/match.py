"""`ggp-agent match`: a game manager."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import signal
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from agent.cli.compiling import CompilingDisplay
from agent.cli.completion import complete_game
from agent.cli.console import console
from agent.cli.finite_range import FiniteRange
from agent.cli.live import (
    MatchBar,
    Narrator,
    Patient,
    Scorekeeper,
    compared,
    failure_lines,
    repeated_line,
    score_tables,
)
from agent.cli.paths import FOLDER
from agent.gamemaster.errors import ManagerError
from agent.gamemaster.games import kif_game
from agent.gamemaster.records import whole
from agent.gamemaster.series import LENIENT, MatchResult, Series, SeriesObserver, SeriesPlan, check_specs
from reasoner import load_text
from reasoner.machine import Machine

SECONDS = FiniteRange(min=0.001, max=1_000_000)


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.option("--player", "players", multiple=True, metavar="SPEC", help="One per role except random; see above.")
@click.option(
    "--start-clock", type=SECONDS, default=10.0, show_default=True, metavar="S", help="Seconds before the first move."
)
@click.option("--play-clock", type=SECONDS, default=2.0, show_default=True, metavar="S", help="Seconds per move.")
@click.option("--max-steps", type=click.IntRange(min=1), metavar="N", help="Abort a match after N steps.")
@click.option(
    "--matches", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Matches; roles rotate."
)
@click.option("--seed", type=int, metavar="N", help="Random seed. Default: drawn at random.")
@click.option(
    "--lenient", is_flag=True, envvar=list(LENIENT), help="Accept what `check --lenient` accepts, in the players too."
)
@click.option("--scramble", is_flag=True, help="Replace the game's names by made-up words.")
@click.option("--record", "folder", type=FOLDER, metavar="DIR", help="Write match records.")
@click.option("--log", "logs", type=FOLDER, metavar="DIR", help="Write the players' logs.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
@click.pass_context
def match(
    ctx: click.Context,
    game: str,
    players: tuple[str, ...],
    start_clock: float,
    play_clock: float,
    max_steps: int | None,
    matches: int,
    seed: int | None,
    lenient: bool,
    scramble: bool,
    folder: Path | None,
    logs: Path | None,
    as_json: bool,
) -> None:
    """Play GAME between agents over HTTP.

    GAME is a bundled name, a file, or the URL of a rulesheet or of a game-repository entry.

    SPEC is the URL of a running player, or a local player to start: mcts, random or legal; mcts:key=value,... with
    any search option (mcts:simulations=1000); or module:Class for a player written in Python. Default: mcts plays
    every role. The manager itself plays the role random.

    Failures of local players (exceptions, illegal moves, late answers) are reported after the matches; --log DIR
    writes tracebacks and output to one file per player.

    Exits with 1 if a match did not reach its end (also because of --max-steps), or if a local player failed at every
    move.
    """
    check_specs(players)  # checked first, before rules are fetched and kernels compiled
    plan = SeriesPlan(
        rulesheet=kif_game(game),
        specs=players,
        start_clock=start_clock,
        play_clock=play_clock,
        max_steps=max_steps or 0,
        matches=matches,
        seed=secrets.randbits(32) if seed is None else seed,
        scramble=scramble,
        folder=folder,
        lenient=lenient,
        logs=logs,
    )
    from reasoner.jit_progress import compiling  # late import: a misspelled player is reported without loading kernels

    with CompilingDisplay() as display, compiling(display.tell):
        machine = load_text(plan.rulesheet.text, engine="relational", lenient=lenient)
        machine.terminal(machine.initial())  # compile the manager's kernels while the progress is shown
    with display, _observer(machine, matches, display, silent=as_json) as observer:
        series = Series(plan, machine, observer)
        fault = _run(series)
    if series.results or not isinstance(fault, ManagerError):
        _print_results(series, as_json=as_json)
    for line in failure_lines(series.failures(), logs):
        click.echo(line, err=True)
    if fault:
        raise fault
    if hopeless := series.hopeless():
        raise click.ClickException(f"{' and '.join(hopeless)} failed at every move")
    ctx.exit(0 if all(not result.record.aborted for result in series.results) else 1)


def _print_results(series: Series, *, as_json: bool) -> None:
    """Print the results as JSON, or the score tables of several matches."""
    if as_json:
        click.echo(json.dumps(report(series), indent=1))
    elif series.plan.matches > 1:
        out = console()
        for table in score_tables(series.standings(), out.width):
            out.print(table)
        if found := series.difference():
            out.print(compared(series.names, found))
        if line := repeated_line(series.repeated(), len(series.results)):
            click.echo(line, err=True)


def report(series: Series) -> dict[str, object]:
    """Return the results for JSON: settings, players with scores and errors, and matches."""
    plan = series.plan
    return {
        "game": plan.rulesheet.name,
        "startClock": whole(plan.start_clock),
        "playClock": whole(plan.play_clock),
        "seed": plan.seed,
        "players": [asdict(standing) for standing in series.standings()],
        "difference": asdict(found) if (found := series.difference()) else None,
        "repeated": series.repeated(),
        "failures": {name: [asdict(kind) for kind in kinds] for name, kinds in series.failures().items()},
        "matches": [_match_report(result) for result in series.results],
    }


def _match_report(result: MatchResult) -> dict[str, object]:
    record = result.record
    return {
        "matchId": record.match_id,
        "players": dict(zip(result.roles, record.player_names, strict=True)),
        "goals": dict(zip(result.roles, record.goals, strict=True)) if record.completed else None,
        "steps": len(record.moves),
        "completed": record.completed,
        "errors": record.errors,
        "failed": {
            name: None if moves is None else sorted(moves)
            for name, moves in zip(result.players, result.failed, strict=True)
        },
        "playouts_per_s": dict(zip(result.players, result.playouts_per_s, strict=True)),
        "record": str(result.path) if result.path else None,
    }


@contextlib.contextmanager
def _observer(machine: Machine, matches: int, display: CompilingDisplay, *, silent: bool) -> Iterator[SeriesObserver]:
    if silent:
        yield Patient(display)
    elif matches == 1:
        yield Narrator(machine, display, console())
    else:
        out = console()
        with MatchBar(out) as bar:
            yield Scorekeeper(matches, display, out, bar)


def _run(series: Series) -> click.ClickException | ManagerError | None:
    """Play all matches. Return the error that stopped them, also of Ctrl-C or SIGTERM. Kill all local agents."""
    try:
        asyncio.run(_until_stopped(series))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return click.ClickException("interrupted")
    except ManagerError as error:  # the results of the matches before it are printed
        return error
    finally:
        for agent in series.agents.running:
            agent.kill()
    return None


async def _until_stopped(series: Series) -> None:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await series.run()
