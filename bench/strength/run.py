"""Scheduler of a run: chooses the next match and its court, and decides when to stop."""

from __future__ import annotations

import json
import os
import queue
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from agent.gamemaster.errors import ManagerError
from agent.gamemaster.rulesheet import Rulesheet
from bench.strength.clocked import Clocked
from bench.strength.courts import Clocks, Court, InTurn, Machines
from bench.strength.entries import Entry
from bench.strength.inturn import Played
from bench.strength.ledger import Ledger, Row
from bench.strength.scores import result_of, seat_in, seats_of
from bench.strength.seats import SeatError
from reasoner.errors import ReasonerError
from search.study.sequential import SequentialTest

FAULTS = (SeatError, ManagerError, ReasonerError, ValueError, OSError)
MAX_FAULTS = 3
"""Number of consecutive failed matches of a game with an opponent after which this pair is skipped."""


@dataclass(frozen=True)
class Run:
    """Plan of a run: up to `matches` of each game against each opponent, and a sequential test that may stop it."""

    player: Entry
    opponents: tuple[Entry, ...]
    sheets: tuple[Rulesheet, ...]
    clocks: Clocks
    matches: int
    seed: int = 1
    test: SequentialTest | None = None
    each: bool = False  # whether each game is tested separately, instead of all together
    cores: tuple[int, ...] = ()
    at_once: int = 1


@dataclass(frozen=True)
class Meeting:
    """A match to play."""

    opponent: Entry
    sheet: Rulesheet
    number: int

    def seed(self, run: Run, seats: int) -> int:
        """Return the seed, which is the same for all seatings of a round."""
        text = f"{run.seed}/{self.sheet.name}/{self.number // seats}"
        return int.from_bytes(sha256(text.encode()).digest()[:3])


class Runner:
    """Plays a run, and saves the results."""

    def __init__(self, run: Run, ledger: Ledger, played: Callable[[Row], None]) -> None:
        self._run = run
        self._ledger = ledger
        self._played = played
        self._machines = Machines()
        self._records = ledger.path.with_suffix("")
        self._records.mkdir(parents=True, exist_ok=True)
        self._idle: dict[str, queue.SimpleQueue[Court]] = {each.text: queue.SimpleQueue() for each in run.opponents}
        self._courts: list[Court] = []

    def rows(self, opponent: Entry) -> list[Row]:
        """Return the results of the player against an opponent under these clocks."""
        return [row for row in self._ledger.rows if _family(row) == self._family(opponent)]

    def play(self) -> None:
        """Play the missing matches."""
        going: set[Future[None]] = set()
        try:
            with ThreadPoolExecutor(self._run.at_once) as workers:
                try:
                    for meeting in self._missing():
                        if self._wanted(meeting):
                            going.add(workers.submit(self._meet, meeting))
                        if len(going) >= self._run.at_once:
                            done, going = wait(going, return_when=FIRST_COMPLETED)
                            for each in done:
                                each.result()
                    for each in going:
                        each.result()
                except BaseException:
                    self._close()  # ends the players of the running matches
                    raise
        finally:
            self._close()

    def _missing(self) -> Iterator[Meeting]:
        known = {row.key for row in self._ledger.rows}
        for number in range(self._run.matches):
            for opponent in self._run.opponents:
                for sheet in self._run.sheets:
                    if self._key(opponent, sheet, number) not in known:
                        yield Meeting(opponent, sheet, number)

    def _wanted(self, meeting: Meeting) -> bool:
        """Return whether to play the match: the test is undecided, and the game does not fail repeatedly."""
        rows = self.rows(meeting.opponent)
        here = [row for row in rows if row.game == game_name(meeting.sheet)]
        if sum(bool(row.fault) for row in here[-MAX_FAULTS:]) == MAX_FAULTS:
            return False
        results = [row.result for row in (here if self._run.each else rows) if row.result is not None]
        return self._run.test is None or not self._run.test.verdict(results)

    def _meet(self, meeting: Meeting) -> None:
        run, began, load = self._run, time.monotonic(), os.getloadavg()[0]
        machine = self._machines.of(meeting.sheet)
        seat, played, fault, court = seat_in(machine.roles, meeting.number), Played(machine.roles), "", None
        try:
            court = self._court(meeting.opponent)
            played = court.play(meeting.sheet, meeting.number, meeting.seed(run, len(seats_of(machine.roles))))
            fault = "" if played.goals else "not played to its end"
            self._idle[meeting.opponent.text].put(court)
        except FAULTS as error:
            fault = f"{type(error).__name__}: {error}"[:300]
            if court is not None:
                court.close()
        row = self._row(meeting, seat, played, fault, began, load)
        self._ledger.add(row)
        self._played(row)

    def _court(self, opponent: Entry) -> Court:
        try:
            return self._idle[opponent.text].get_nowait()
        except queue.Empty:
            run = self._run
            wall = run.clocks.kind == "wall"
            court = (
                Clocked(run.player, opponent, run.clocks, run.cores)
                if wall
                else InTurn(run.player, opponent, run.clocks)
            )
            self._courts.append(court)
            return court

    def _close(self) -> None:
        courts, self._courts = self._courts, []
        for court in courts:
            court.close()

    def _row(self, meeting: Meeting, seat: int, played: Played, fault: str, began: float, load: float) -> Row:
        roles, goals = played.roles, played.goals
        others = [role for role in seats_of(roles) if role != seat]
        name = self._record(meeting, played, seat)
        return Row(
            **dict(zip(KEYED, self._key(meeting.opponent, meeting.sheet, meeting.number)[:6], strict=True)),
            start=self._run.clocks.start,
            move=self._run.clocks.move,
            seed=self._run.seed,
            number=meeting.number,
            role=roles[seat],
            result=round(result_of(roles, goals, seat), 3) if goals else None,
            score=float(goals[seat]) if goals else None,
            goals=" ".join(map(str, goals)),
            steps=len(played.moves),
            errors=played.wrong([seat]),
            opponent_errors=played.wrong(others),
            simulations=round(played.simulations([seat]), 1),
            opponent_simulations=round(played.simulations(others), 1),
            seconds=round(time.monotonic() - began, 1),
            load_before=round(load, 2),
            load_after=round(os.getloadavg()[0], 2),
            ended=datetime.now(UTC).isoformat(timespec="seconds"),
            record=name,
            fault=fault,
        )

    def _record(self, meeting: Meeting, played: Played, seat: int) -> str:
        """Write the moves and positions to a file; return its path."""
        words = (meeting.opponent.text, game_name(meeting.sheet), str(meeting.number), str(int(1000 * time.time())))
        path = self._records / (".".join(re.sub(r"[^A-Za-z0-9_-]+", "_", word) for word in words) + ".json")
        names = [self._run.player.text if role == seat else meeting.opponent.text for role in range(len(played.roles))]
        path.write_text(json.dumps({"players": names, **played.as_json()}) + "\n")
        return str(path)

    def _key(self, opponent: Entry, sheet: Rulesheet, number: int) -> tuple[str, ...]:
        clocks = self._run.clocks
        family = (*self._family(opponent)[:4], game_name(sheet), clocks.kind)
        return (*family, *map(str, (clocks.start, clocks.move, self._run.seed, number)))

    def _family(self, opponent: Entry) -> tuple[str, ...]:
        player, clocks = self._run.player, self._run.clocks
        sides = (player.text, player.version, opponent.text, opponent.version)
        return (*sides, clocks.kind, str(clocks.start), str(clocks.move), str(self._run.seed))


KEYED = ("player", "version", "opponent", "opponent_version", "game", "clock")


def _family(row: Row) -> tuple[str, ...]:
    sides = (row.player, row.version, row.opponent, row.opponent_version)
    return (*sides, row.clock, str(row.start), str(row.move), str(row.seed))


def game_name(sheet: Rulesheet) -> str:
    """Return the name with digits that distinguish rulesheets of the same name."""
    return f"{sheet.name}#{sha256(sheet.text.encode()).hexdigest()[:4]}"
