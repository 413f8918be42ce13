"""What `ggp-agent match` shows while it plays: one match move by move, or many by their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from agent.cli.compiling import CompilingDisplay
from agent.cli.picture import Picture
from agent.cli.tables import Group, parted
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import COMPILING
from agent.gamemaster.match import MatchSetup, PlayedStep, SeatedPlayer
from agent.gamemaster.series import MatchResult, PlayerScore, SeriesObserver
from agent.gamemaster.statistics import Difference
from reasoner.machine import Machine

ERROR_HEADINGS = ("time-outs", "illegal", "lost")
SHOWN_KINDS = 8
"""Kinds of failure of one player that are told."""
ERRORS = {"TO": "no answer in time", "IL": "no legal move", "CE": "no connection"}


class Patient(SeriesObserver):
    """Tells nothing but how far the players' first start has come."""

    def __init__(self, display: CompilingDisplay) -> None:
        self._display = display

    def compiling(self, done: int, of: int) -> None:
        """So many kernels of so many at most."""
        self._display.tell(done, of)

    def begin(self, _match: MatchSetup) -> None:
        """Nothing is left to wait for."""
        self._display.end()


class Narrator(Patient):
    """Tells one match: the board, each move as it comes, the result."""

    def __init__(self, machine: Machine, display: CompilingDisplay, out: Console) -> None:
        super().__init__(display)
        self._out = out
        self._machine = machine
        self._picture = Picture(machine, out)

    def waiting(self) -> None:
        """Why nothing begins."""
        self._out.print(COMPILING, style="dim")

    def begin(self, match: MatchSetup) -> None:
        """Who sits where, and the initial state."""
        super().begin(match)
        seats = (f"{role}: {seat.name if seat else 'by dice'}" for role, seat in _seats(match))
        self._out.print(f"{match.rulesheet.name}   {', '.join(seats)}   match {match.match_id}", style="bold")
        self._picture.legend()
        self._picture.show(self._machine.facts(self._machine.initial()))

    def step(self, match: MatchSetup, step: PlayedStep) -> None:
        """The joint move, what went wrong, and the state that came of it."""
        played = "   ".join(f"{role} {move}" for role, move in zip(match.machine.roles, step.moves, strict=True))
        self._out.print(Text(f"\n{step.number:3}. ", style="dim").append(played, style="bold"))
        for (role, seat), error in zip(_seats(match), step.errors, strict=True):
            if error and seat:
                what = f"{ERRORS[error[:2]]}{error[2:]}"
                self._out.print(f"     {role} ({seat.name}): {what}; a random move was played", style="red")
        self._picture.show(step.facts)

    def end(self, result: MatchResult) -> None:
        """The goals, the players' playouts per second, and where the record is."""
        self._out.print(f"\n{outcome(result)}", style="bold green")
        for name, rate in zip(result.players, result.playouts_per_s, strict=True):
            if rate is not None:
                self._out.print(f"{name}: {rate:,.0f} playouts per second")
        if result.path:
            self._out.print(f"record: {result.path}")


class Scorekeeper(Patient):
    """Counts many matches: a progress bar on a terminal, a line for each match elsewhere."""

    def __init__(self, matches: int, display: CompilingDisplay, out: Console) -> None:
        super().__init__(display)
        self._out = out
        self._matches = matches
        self._done = 0
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=out, disable=not out.is_terminal)
        self._task = self._bar.add_task("matches", total=matches)

    def __enter__(self) -> Scorekeeper:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def waiting(self) -> None:
        """Why nothing begins."""
        self._out.print(COMPILING, style="dim")

    def begin(self, match: MatchSetup) -> None:
        """The bar stands there from the first match on."""
        super().begin(match)
        self._bar.start()

    def end(self, result: MatchResult) -> None:
        """One more."""
        self._done += 1
        self._bar.advance(self._task)
        if not self._out.is_terminal:
            self._out.print(f"{self._done}/{self._matches}  {outcome(result)}")


def outcome(result: MatchResult) -> str:
    """A match's end on one line."""
    steps = f"{len(result.record.moves)} steps"
    if not result.record.completed:
        return f"ended without a result after {steps}"
    seats = zip(result.roles, result.record.player_names, result.record.goals, result.seating, strict=True)
    scores = (
        f"{role} ({name}) {'-' if goal is None else goal}" for role, name, goal, seat in seats if seat is not None
    )
    return f"{', '.join(scores)}; {steps}"


def score_tables(standings: Sequence[PlayerScore], width: int) -> Iterator[Table]:
    """Mean scores with their 95% intervals, errors by kind, and moves that a player of this machine failed at."""
    scores = [(str(row.score.count), *row.score.shown()) for row in standings]
    wrong = [(*(str(row.errors[kind]) for kind in ERRORS), failed_cell(row.failed)) for row in standings]
    groups = [Group(("matches", "mean", "95% interval"), scores), Group((*ERROR_HEADINGS, "failed"), wrong)]
    return parted("player", [row.name for row in standings], groups, width)


def failed_cell(failed: int | None) -> str:
    """How many moves a player failed at; what runs elsewhere does not tell."""
    return "?" if failed is None else str(failed)


def failure_lines(failures: Mapping[str, Sequence[FailureKind]], logs: Path | None) -> Iterator[str]:
    """A line for each way in which a player failed, and where its whole log is."""
    for name, kinds in failures.items():
        for kind in kinds[:SHOWN_KINDS]:
            yield f"{name}, {kind.times} time{'s' * (kind.times != 1)}: {kind.what}"
        if len(kinds) > SHOWN_KINDS:
            yield f"{name}: and {len(kinds) - SHOWN_KINDS} more kinds of failure"
    if failures:
        yield f"tracebacks, and what players print, {f'are in {logs}' if logs else 'are kept by --log DIR'}"


def compared(names: Sequence[str], found: Difference) -> str:
    """Whether the matches tell two players apart."""
    verdict = "they differ" if found.told_apart else "which holds 0: the matches do not tell them apart"
    interval = f"95% interval {found.low:+.1f} .. {found.high:+.1f}"
    return f"{names[0]} less {names[1]}: {found.mean:+.1f} a match, {interval}, {verdict}"


def _seats(match: MatchSetup) -> Iterator[tuple[str, SeatedPlayer | None]]:
    return zip(match.machine.roles, match.seats, strict=True)
