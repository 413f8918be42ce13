"""Plays what is left of a tournament in an arena, several matches at a time, each result kept at once."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import SERVE, SLOW
from agent.gamemaster.records import make_folder, write_record
from agent.gamemaster.series import is_url
from agent.tournament.arena import Arena, JudgedGame, LocalArena, most_seats, running_players
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing, schedule
from agent.tournament.store import Outcome, ResultStore


class TournamentObserver:
    """What a tournament tells while it runs; everything may be left as it is."""

    def begin(self, done: int, total: int) -> None:
        """So many of all matches were played before."""

    def waiting(self) -> None:
        """The players take long to start."""

    def compiling(self, done: int, of: int) -> None:
        """A player compiles: so many kernels of so many at most."""

    def nodes(self, count: int, tables: int) -> None:
        """A cluster has so many nodes now, with room for so many matches at the same time."""

    def lost(self, game: str) -> None:
        """A match of this game was lost with its node, and will be played again."""

    def failed(self, failures: Mapping[str, Sequence[FailureKind]]) -> None:
        """Players have failed in these ways, besides what was told before."""

    def end(self, outcome: Outcome) -> None:
        """A match is over, and its result kept."""


@dataclass(frozen=True)
class Tournament:
    """A tournament to be run. `serve` is the command of a local agent; `trace` takes everything sent and received."""

    plan: TournamentPlan
    boards: Mapping[str, JudgedGame]  # by the games' names in the plan
    store: ResultStore
    watcher: TournamentObserver = field(default_factory=TournamentObserver)
    trace: TextIO | None = None
    serve: Sequence[str] = SERVE
    logs: Path | None = None  # a folder for the logs of players of this machine
    wall: Callable[[], float] = time.time

    def left(self) -> tuple[Pairing, ...]:
        """What is not played yet."""
        done = {outcome.key for outcome in self.store.outcomes()}
        return tuple(pairing for pairing in self.pairings() if pairing.key not in done)

    def pairings(self) -> tuple[Pairing, ...]:
        """Everything that the plan plays."""
        return schedule(self.plan, {game: board.machine.roles for game, board in self.boards.items()})

    async def run(self, opened: OpenArena | None = None) -> None:
        """Play what is left, on this machine or in another arena. What was played is kept, whatever is raised.

        Raises PlayerError, StoreError, RecordError, and what the arena does.
        """
        left = self.left()
        self.watcher.begin(len(self.pairings()) - len(left), len(self.pairings()))
        if self.plan.records:
            make_folder(Path(self.plan.records))
        if left:
            async with (opened or local_arena)(self, left) as arena:
                await _Hall(self, arena).play_all(left)

    def keep(self, outcome: Outcome) -> None:
        """Keep a result, and tell of it."""
        self.store.add(outcome)
        self.watcher.end(outcome)


OpenArena = Callable[[Tournament, Sequence[Pairing]], AbstractAsyncContextManager[Arena]]
"""Opens an arena for what is left of a tournament."""


@asynccontextmanager
async def local_arena(tournament: Tournament, left: Sequence[Pairing]) -> AsyncIterator[Arena]:
    """The arena of this machine: one agent for each player, which plays several matches at a time."""
    plan = tournament.plan
    specs = {name: plan.players[name] for pairing in left for name in pairing.players}
    notice = asyncio.get_running_loop().call_later(SLOW, tournament.watcher.waiting)
    matches = plan.parallel * most_seats(left)
    told = tournament.watcher.compiling
    async with running_players(specs, matches, tournament.serve, told, logs=tournament.logs) as players:
        notice.cancel()
        yield LocalArena(plan, tournament.boards, players, tournament.trace, tournament.wall)


class _Hall:
    """The matches under way. A player that runs elsewhere plays one at a time; it may know no more."""

    def __init__(self, tournament: Tournament, arena: Arena) -> None:
        self._tournament = tournament
        self._arena = arena
        self._elsewhere = {name for name, spec in tournament.plan.players.items() if is_url(spec)}
        self._taken: set[str] = set()  # players elsewhere that are in a match
        self._changed = asyncio.Event()

    async def play_all(self, pairings: Sequence[Pairing]) -> None:
        waiting = deque(pairings)
        count = min(self._arena.parallel, len(waiting))
        tables = [asyncio.create_task(self._table(waiting)) for _ in range(count)]
        try:
            await asyncio.gather(*tables)
        except BaseException:  # one table has failed, or all are called off: the others say ABORT to their players
            for table in tables:
                table.cancel()
            await asyncio.gather(*tables, return_exceptions=True)
            raise

    async def _table(self, waiting: deque[Pairing]) -> None:
        """One match after the other, each time the first whose players are free."""
        while waiting:
            pairing = next((p for p in waiting if not self._taken.intersection(p.players)), None)
            if pairing is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            waiting.remove(pairing)
            remote = self._elsewhere.intersection(pairing.players)
            self._taken |= remote
            try:
                await self._match(pairing)
            finally:
                self._taken -= remote
                self._changed.set()

    async def _match(self, pairing: Pairing) -> None:
        played = await self._arena.play(pairing)
        if self._tournament.plan.records:
            write_record(played.record, Path(self._tournament.plan.records))
        if played.failures:
            self._tournament.watcher.failed(played.failures)
        self._tournament.keep(played.outcome)
