"""Tournament loop: plays the remaining matches in an arena, several at a time, and stores each result."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from agent.gamemaster.addresses import is_url
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import SERVE, SLOW
from agent.gamemaster.records import make_folder, write_record
from agent.protocol.elements import canonical
from agent.tournament.arena import Arena, JudgedGame, LocalArena, most_seats, running_players
from agent.tournament.errors import OtherResultsError
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing, line_up_of, schedule
from agent.tournament.store import Outcome, ResultStore


class TournamentObserver:
    """Observer of a tournament; all methods are optional."""

    def begin(self, done: int, total: int) -> None:
        """The tournament starts; `done` of `total` matches were played before."""

    def waiting(self) -> None:
        """The players take long to start."""

    def compiling(self, done: int, of: int) -> None:
        """A player has compiled `done` of at most `of` kernels."""

    def nodes(self, count: int, tables: int) -> None:
        """A cluster now has `count` nodes, with room for `tables` simultaneous matches."""

    def lost(self, game: str) -> None:
        """A match of `game` was lost with its node and will be repeated."""

    def failed(self, failures: Mapping[str, Sequence[FailureKind]]) -> None:
        """Players have new failures."""

    def end(self, outcome: Outcome) -> None:
        """A match has ended, and its result is stored."""


@dataclass(frozen=True)
class Tournament:
    """A tournament to run. `serve` is the command of a local agent; `trace` receives all messages."""

    plan: TournamentPlan
    boards: Mapping[str, JudgedGame]  # games by their names in the plan
    store: ResultStore
    watcher: TournamentObserver = field(default_factory=TournamentObserver)
    trace: TextIO | None = None
    serve: Sequence[str] = SERVE
    logs: Path | None = None  # folder for the logs of local players
    wall: Callable[[], float] = time.time

    def left(self) -> tuple[Pairing, ...]:
        """Return the remaining pairings."""
        done = {outcome.key for outcome in self.store.outcomes()}
        return tuple(pairing for pairing in self.pairings() if pairing.key not in done)

    def pairings(self) -> tuple[Pairing, ...]:
        """Return all pairings of the plan."""
        return schedule(self.plan, {game: board.machine.roles for game, board in self.boards.items()})

    async def run(self, opened: OpenArena | None = None) -> None:
        """Play the remaining matches, locally or in another arena. Finished matches stay stored after any error.

        Raises PlayerError, StoreError, RecordError, and the arena's errors.
        """
        self.store.check_rules({game: canonical(board.sheet.text) for game, board in self.boards.items()})
        self._check_order()
        left = self.left()
        self.watcher.begin(len(self.pairings()) - len(left), len(self.pairings()))
        if self.plan.records:
            make_folder(Path(self.plan.records))
        if left:
            async with (opened or local_arena)(self, left) as arena:
                await _Hall(self, arena).play_all(left)

    def _check_order(self) -> None:
        """Raise OtherResultsError for results of the players in another order, as all matches would be new."""
        places = {name: place for place, name in enumerate(self.plan.players)}
        for outcome in self.store.outcomes():
            line_up = dict.fromkeys(line_up_of(outcome.key))
            if list(line_up) != sorted(line_up, key=lambda name: places.get(name, len(places))):
                raise OtherResultsError(
                    f"{self.store.path} has results of the players in another order: put {', '.join(line_up)} in this"
                    " order, or give another --results file"
                )


OpenArena = Callable[[Tournament, Sequence[Pairing]], AbstractAsyncContextManager[Arena]]
"""Function that opens an arena for the remaining pairings of a tournament."""


@asynccontextmanager
async def local_arena(tournament: Tournament, left: Sequence[Pairing]) -> AsyncIterator[Arena]:
    """Open the local arena: one agent per player, which plays several matches at a time."""
    plan = tournament.plan
    specs = {name: plan.players[name] for pairing in left for name in pairing.players}
    notice = asyncio.get_running_loop().call_later(SLOW, tournament.watcher.waiting)
    matches = plan.parallel * most_seats(left)
    told = tournament.watcher.compiling
    async with running_players(specs, matches, tournament.serve, told, logs=tournament.logs) as players:
        notice.cancel()
        yield LocalArena(plan, tournament.boards, players, tournament.trace, tournament.wall)


class _Hall:
    """The running matches. A remote player plays one match at a time, because it may not support several.

    Results are stored in a thread, so that a slow disk or a locked file does not delay the receipt of answers.
    """

    def __init__(self, tournament: Tournament, arena: Arena) -> None:
        self._tournament = tournament
        self._arena = arena
        self._elsewhere = {name for name, spec in tournament.plan.players.items() if is_url(spec)}
        self._taken: set[str] = set()  # remote players that are in a match
        self._changed = asyncio.Event()
        self._storing = ThreadPoolExecutor(1, thread_name_prefix="results")

    async def play_all(self, pairings: Sequence[Pairing]) -> None:
        waiting = deque(pairings)
        count = min(self._arena.parallel, len(waiting))
        tables = [asyncio.create_task(self._table(waiting)) for _ in range(count)]
        try:
            await asyncio.gather(*tables)
        except BaseException:  # on an error or cancellation, the other tables send ABORT to their players
            for table in tables:
                table.cancel()
            await asyncio.gather(*tables, return_exceptions=True)
            raise
        finally:
            self._storing.shutdown()

    async def _table(self, waiting: deque[Pairing]) -> None:
        """Play the remaining matches one by one, each time the first match whose players are all free."""
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
        try:
            if self._tournament.plan.records:
                await self._stored(write_record, played.record, Path(self._tournament.plan.records))
        finally:  # keep the result of a match whose record cannot be written, too
            if played.failures:
                self._tournament.watcher.failed(played.failures)
            await self._stored(self._tournament.store.add, played.outcome)
            self._tournament.watcher.end(played.outcome)

    async def _stored(self, store: Callable[..., object], *what: object) -> None:
        """Call `store` in the thread for results, to its end even if the match is cancelled meanwhile."""
        await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._storing, store, *what))
