"""Every recorded game against every engine: ``python -m tests.agree [--engine E] [--jobs N] [GAME…]``.

Compares facts, legal moves, terminal and goals at each recorded step. Exits 1 when a machine disagrees or fails, or
when no engine finished a game; an engine that reached a limit on some game is reported, with the limit.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.errors import LimitError, ReasonerError
from reasoner.lanes.emitters import EMITTERS, why_not
from tests.batch_replay import BatchReplayer
from tests.lane_replay import LaneReplayer
from tests.shared import SHARED
from tests.traces import Recording, Replay, Replayer, infix_recordings, recordings

ENGINES = ("circuit", "relational", *EMITTERS, "batch")
"""The machines, the lanes of each emitter by themselves (every recorded state in a lane of its own), and batches."""

REPLAYERS = {"circuit": Replayer, "relational": Replayer, "batch": BatchReplayer}


class Outcome(StrEnum):
    """How a game went on an engine."""

    AGREES = "agrees"
    DIFFERS = "DIFFERS"
    FAILED = "FAILED"
    LIMIT = "limit"
    LATE = "out of time"


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the table. `build_s` until the machine stood, `replay_s` for the steps compared."""

    game: str
    engine: str
    outcome: Outcome
    steps: int
    recorded: int
    build_s: float
    replay_s: float
    detail: str = ""

    @property
    def good(self) -> bool:
        return self.outcome not in (Outcome.DIFFERS, Outcome.FAILED)


class OutOfTimeError(Exception):
    """The alarm rang."""


def examine(recording: Recording, engine: str, seconds: float) -> Result:
    """Hold one engine against one recording, in this process, for at most so many seconds."""
    signal.signal(signal.SIGALRM, _ring)
    started = built = time.perf_counter()
    replayer = None
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        emitter = engine if engine in EMITTERS else None
        name = "relational" if engine == "relational" else "circuit"
        machine = load(recording.rulesheet(SHARED), name, BuildLimits(seconds, emitter=emitter))
        built = time.perf_counter()
        replayer = REPLAYERS.get(engine, LaneReplayer)(machine, recording)
        replayed = replayer.run()
        found = replayed.disagreement if isinstance(replayed, Replay) else replayed
        outcome, detail = (Outcome.DIFFERS, found) if found else (Outcome.AGREES, "")
    except OutOfTimeError:
        outcome, detail = Outcome.LATE, f"stopped after {seconds:g} s"
    except LimitError as fault:
        outcome, detail = Outcome.LIMIT, f"{fault.limit}: {fault}"
    except ReasonerError as fault:
        outcome, detail = Outcome.FAILED, str(fault)
    except Exception as fault:  # the table must name the game that broke an engine, whatever the fault
        outcome, detail = Outcome.FAILED, f"{type(fault).__name__}: {fault}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    ended = time.perf_counter()
    built = max(built, started) if replayer else ended
    steps = replayer.compared if replayer else 0
    times = (built - started, ended - built)
    return Result(recording.name, engine, outcome, steps, recording.steps(), *times, detail)


def _ring(_signal: int, _frame: object) -> None:
    raise OutOfTimeError


def examine_all(chosen: Iterable[Recording], engines: Iterable[str], jobs: int, seconds: float) -> Iterator[Result]:
    """The results as they come, each from a process of its own."""
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = [pool.submit(_examine_apart, r, engine, seconds) for r in chosen for engine in engines]
        for future in as_completed(waiting):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)  # interrupted, it must not wait for the whole queue


def _examine_apart(recording: Recording, engine: str, seconds: float) -> Result:
    """Not by `max_tasks_per_child`, with which a pool may wait for ever (Python's issue 115634)."""
    with ProcessPoolExecutor(1, get_context("spawn")) as one:
        return one.submit(examine, recording, engine, seconds).result()


def table(results: Iterable[Result]) -> Table:
    shown = Table("game", "engine", "steps", "build s", "replay s", "outcome")
    for r in sorted(results, key=lambda r: (r.game, r.engine)):
        style = {Outcome.AGREES: "", Outcome.LIMIT: "yellow", Outcome.LATE: "yellow"}.get(r.outcome, "bold red")
        outcome = f"{r.outcome.value}{': ' if r.detail else ''}{escape(r.detail)}"
        steps = str(r.steps) if r.steps == r.recorded else f"{r.steps} of {r.recorded}"
        shown.add_row(r.game, r.engine, steps, f"{r.build_s:.2f}", f"{r.replay_s:.2f}", outcome, style=style)
    return shown


def summary(results: list[Result], engines: Iterable[str]) -> Iterator[str]:
    """One line an engine, and the games that no engine finished."""
    for engine in engines:
        mine = [r for r in results if r.engine == engine]
        counts = {outcome: sum(r.outcome is outcome for r in mine) for outcome in Outcome}
        parts = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
        seconds = sum(r.build_s + r.replay_s for r in mine)
        yield f"{engine}: {parts} of {len(mine)} games, {sum(r.steps for r in mine)} steps, {seconds:.0f} s"
    unfinished = sorted(unfinished_games(results))
    if unfinished:
        yield f"finished by no engine: {' '.join(unfinished)}"


def unfinished_games(results: Iterable[Result]) -> set[str]:
    results = list(results)
    return {r.game for r in results} - {r.game for r in results if r.outcome is Outcome.AGREES}


def _here() -> tuple[str, ...]:
    """The engines that this machine runs."""
    return tuple(engine for engine in ENGINES if engine not in EMITTERS or why_not(engine) is None)


@click.command(help=__doc__)
@click.option("--engine", type=click.Choice([*ENGINES, "all"]), default="all", show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes at a time.")
@click.option("--seconds", type=float, default=300.0, show_default=True, help="For one game on one engine.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def main(engine: str, jobs: int, seconds: float, games: tuple[str, ...]) -> None:
    if SHARED is None:
        raise click.ClickException("the shared rulesheets and traces are not beside the checkout")
    known = {recording.name: recording for recording in recordings(SHARED)}
    known |= {recording.name: recording for recording in infix_recordings(SHARED)}
    unknown = [game for game in games if game not in known]
    if unknown:
        raise click.UsageError(f"no recording of {' '.join(unknown)}")
    engines = _here() if engine == "all" else (engine,)
    console = Console(width=None if sys.stdout.isatty() else 160)
    results = []
    for result in examine_all([known[game] for game in games or known], engines, jobs, seconds):
        results.append(result)
        if console.is_terminal or not result.good:
            console.print(f"{result.game} {result.engine}: {result.outcome.value} {escape(result.detail)}")
    console.print(table(results))
    for line in summary(results, engines):
        console.print(line)
    sys.exit(0 if all(r.good for r in results) and not unfinished_games(results) else 1)


if __name__ == "__main__":
    main()
