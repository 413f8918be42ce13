"""Live output of `ggp-agent match`: one match move by move, or only the results of many matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from agent.cli.compiling import CompilingDisplay, say_compiling
from agent.cli.picture import Picture
from agent.cli.tables import Group, parted
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.match import MatchSetup, PlayedStep, SeatedPlayer
from agent.gamemaster.series import MatchResult, PlayerScore, SeriesObserver
from agent.gamemaster.statistics import Difference
from agent.tournament.standings import Standing
from reasoner.machine import Machine

ERROR_HEADINGS = ("time-outs", "illegal", "lost")
SHOWN_KINDS = 8
"""Maximum number of failure kinds shown per player."""
ERRORS = {"TO": "no answer in time", "IL": "no legal move", "CE": "no connection"}


class Patient(SeriesObserver):
    """Observer that shows only the compilation of the players' kernels."""

    def __init__(self, display: CompilingDisplay) -> None:
        self._display = display

    def compiling(self, done: int, of: int) -> None:
        """Show that `done` of at most `of` kernels are compiled."""
        self._display.tell(done, of)

    def begin(self, _match: MatchSetup) -> None:
        """Remove the bar."""
        self._display.end()


class Narrator(Patient):
    """Observer that shows one match: the board, each move, the result."""

    def __init__(self, machine: Machine, display: CompilingDisplay, out: Console) -> None:
        super().__init__(display)
        self._out = out
        self._machine = machine
        self._picture = Picture(machine, out)

    def waiting(self) -> None:
        """Show that the players are compiling their kernels."""
        say_compiling(self._out)

    def begin(self, match: MatchSetup) -> None:
        """Show the seats and the initial state."""
        super().begin(match)
        seats = (f"{role}: {seat.name if seat else 'at random'}" for role, seat in _seats(match))
        self._out.print(f"{match.rulesheet.name}   {', '.join(seats)}   match {match.match_id}", style="bold")
        self._picture.legend()
        self._picture.show(self._machine.facts(self._machine.initial()))

    def step(self, match: MatchSetup, step: PlayedStep) -> None:
        """Show the joint move, the errors and the next state."""
        played = "   ".join(f"{role} {move}" for role, move in zip(match.machine.roles, step.moves, strict=True))
        self._out.print(Text(f"\n{step.number:3}. ", style="dim").append(played, style="bold"))
        for (role, seat), error in zip(_seats(match), step.errors, strict=True):
            if error and seat:
                what = f"{ERRORS[error[:2]]}{error[2:]}"
                self._out.print(f"     {role} ({seat.name}): {what}; replaced by a random move", style="red")
        self._picture.show(step.facts)

    def end(self, result: MatchResult) -> None:
        """Show the goals, the playouts per second and the record's path."""
        self._out.print(f"\n{outcome(result)}", style="bold green")
        for name, rate in zip(result.players, result.playouts_per_s, strict=True):
            if rate is not None:
                self._out.print(f"{name}: {rate:,.0f} playouts per second")
        if result.path:
            self._out.print(f"record: {result.path}")


class MatchBar:
    """Progress of many matches: a bar with the remaining time on a terminal, a line per match elsewhere."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._done = self._total = 0
        remaining = TimeRemainingColumn(elapsed_when_finished=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), remaining)
        self._bar = Progress(*columns, console=out, disable=not out.is_terminal)

    def __enter__(self) -> MatchBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def start(self, total: int, done: int = 0) -> None:
        """Start the bar at `done` of `total` matches."""
        self._done, self._total = done, total
        self._bar.start()
        self._task = self._bar.add_task("matches", total=total, completed=done)

    def describe(self, text: str) -> None:
        """Show a text beside the bar until the next match ends."""
        self._bar.update(self._task, description=text)

    def count(self, line: str) -> None:
        """Count one more match, whose result is `line`."""
        self._done += 1
        self._bar.update(self._task, description="matches", advance=1)
        if not self._out.is_terminal:
            self._out.print(f"{self._done}/{self._total}  {line}")


class Scorekeeper(Patient):
    """Observer that shows the progress and the results of many matches."""

    def __init__(self, matches: int, display: CompilingDisplay, out: Console, bar: MatchBar) -> None:
        super().__init__(display)
        self._out, self._matches, self._bar = out, matches, bar

    def waiting(self) -> None:
        """Show that the players are compiling their kernels."""
        say_compiling(self._out)

    def begin(self, match: MatchSetup) -> None:
        """Start the bar with the first match."""
        super().begin(match)
        if self._matches:
            self._bar.start(self._matches)
            self._matches = 0

    def end(self, result: MatchResult) -> None:
        """Count one more match."""
        self._bar.count(outcome(result))


def outcome(result: MatchResult) -> str:
    """Format the result of a match on one line."""
    steps = f"{len(result.record.moves)} steps"
    if not result.record.completed:
        return f"ended without a result after {steps}"
    seats = zip(result.roles, result.record.player_names, result.record.goals, result.seating, strict=True)
    scores = (
        f"{role} ({name}) {'-' if goal is None else goal}" for role, name, goal, seat in seats if seat is not None
    )
    return f"{', '.join(scores)}; {steps}"


def score_tables(
    rows: Sequence[PlayerScore | Standing], width: int, ratings: Sequence[tuple[str, str]] | None = None
) -> Iterator[Table]:
    """Yield tables of mean scores with 95% intervals, `ratings` (if any), errors by kind, and failed moves."""
    scores = [(str(row.score.count), *row.score.shown()) for row in rows]
    wrong = [(*(str(row.errors[kind]) for kind in ERRORS), failed_cell(row.failed)) for row in rows]
    groups = [Group(("matches", "mean", "95% interval"), scores)]
    groups += [Group(("Elo", "95% interval"), ratings)] if ratings is not None else []
    groups += [Group((*ERROR_HEADINGS, "failed"), wrong)]
    return parted("player", [row.name for row in rows], groups, width)


def failed_cell(failed: int | None) -> str:
    """Format the number of failed moves; unknown ("?") for remote players."""
    return "?" if failed is None else str(failed)


def failure_lines(failures: Mapping[str, Sequence[FailureKind]], logs: Path | None) -> Iterator[str]:
    """Yield one line per kind of failure, and a line that says where the logs are."""
    for name, kinds in failures.items():
        for kind in kinds[:SHOWN_KINDS]:
            yield f"{name}, {kind.times} time{'s' * (kind.times != 1)}: {kind.what}"
        if len(kinds) > SHOWN_KINDS:
            yield f"{name}: and {len(kinds) - SHOWN_KINDS} more kinds of failure"
    if failures:
        yield f"tracebacks and output of players: {f'see {logs}' if logs else 'use --log DIR to keep them'}"


def compared(names: Sequence[str], found: Difference) -> str:
    """Format the comparison of two players."""
    verdict = "a significant difference" if found.told_apart else "no significant difference"
    interval = f"95% interval {found.low:+.1f} .. {found.high:+.1f}"
    return f"{names[0]} minus {names[1]}: {found.mean:+.1f} per match, {interval}, {verdict}"


def repeated_line(repeated: int, matches: int) -> str:
    """Format the number of matches that repeat an earlier one; empty if they are less than a quarter of the matches."""
    if 4 * repeated < matches or not repeated:
        return ""
    return (
        f"{repeated} of {matches} matches repeat all moves of an earlier one. Without chance, players that always move "
        "alike (a `seed` in a SPEC) play copies, and the intervals are too narrow"
    )


def _seats(match: MatchSetup) -> Iterator[tuple[str, SeatedPlayer | None]]:
    return zip(match.machine.roles, match.seats, strict=True)
