"""Plays what is left of a tournament: an agent for each player, several matches at a time, each result kept at once."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from agent.gamemaster.errors import DeadEndError, PlayerError
from agent.gamemaster.local import SERVE, SLOW, Agents
from agent.gamemaster.match import CHANCE, ManagedMatch, MatchSetup, SeatedPlayer
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.records import MatchRecord, make_folder, write_record
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import available, is_url
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing, schedule
from agent.tournament.seats import SecondSeat, TracedPlayer
from agent.tournament.store import Outcome, ResultStore
from reasoner.machine import Machine
from search.clock import MonotonicClock


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game with its machine, which the manager judges by."""

    sheet: Rulesheet
    machine: Machine


class TournamentObserver:
    """What a tournament tells while it runs; everything may be left as it is."""

    def begin(self, done: int, total: int) -> None:
        """So many of all matches were played before."""

    def waiting(self) -> None:
        """The players take long to start."""

    def compiling(self, done: int, of: int) -> None:
        """A player compiles: so many kernels of so many at most."""

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
    wall: Callable[[], float] = time.time

    def left(self) -> tuple[Pairing, ...]:
        """What is not played yet."""
        done = {outcome.key for outcome in self.store.outcomes()}
        return tuple(pairing for pairing in self.pairings() if pairing.key not in done)

    def pairings(self) -> tuple[Pairing, ...]:
        """Everything that the plan plays."""
        return schedule(self.plan, {game: board.machine.roles for game, board in self.boards.items()})

    async def run(self) -> None:
        """Play what is left. Raises PlayerError, StoreError, RecordError; what was played until then is kept."""
        left = self.left()
        self.watcher.begin(len(self.pairings()) - len(left), len(self.pairings()))
        if self.plan.records:
            make_folder(Path(self.plan.records))
        if left:
            await self._play(left)

    async def _play(self, left: Sequence[Pairing]) -> None:
        names = list(dict.fromkeys(name for pairing in left for name in pairing.players))
        local = [name for name in names if not is_url(self.plan.players[name])]
        seats = max(pairing.players.count(name) for pairing in left for name in pairing.players)
        environment = {"GGP_AGENT_SERVER_MATCHES": str(self.plan.parallel * seats)}
        notice = asyncio.get_running_loop().call_later(SLOW, self.watcher.waiting)
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(session())
            specs = [self.plan.players[name] for name in local]
            agents = await stack.enter_async_context(Agents(specs, self.serve, environment, self.watcher.compiling))
            notice.cancel()
            urls = dict(zip(local, (agent.url for agent in agents), strict=True))
            players = {name: RemotePlayer(http, name, urls.get(name, self.plan.players[name])) for name in names}
            clock = MonotonicClock()
            await asyncio.gather(*(available(p, name not in urls, clock) for name, p in players.items()))
            await _Hall(self, players, frozenset(urls)).play_all(left)


class _Hall:
    """The matches under way. A player that runs elsewhere plays one at a time; it may know no more."""

    def __init__(self, tournament: Tournament, players: Mapping[str, RemotePlayer], local: frozenset[str]) -> None:
        self._tournament = tournament
        self._players = players
        self._local = local
        self._taken: set[str] = set()  # remote players in a match
        self._changed = asyncio.Event()

    async def play_all(self, pairings: Sequence[Pairing]) -> None:
        waiting = deque(pairings)
        count = min(self._tournament.plan.parallel, len(waiting))
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
            remote = set(pairing.players) - self._local
            self._taken |= remote
            try:
                await self._match(pairing)
            finally:
                self._taken -= remote
                self._changed.set()

    async def _match(self, pairing: Pairing) -> None:
        tournament = self._tournament
        setup = self._setup(pairing)
        match = ManagedMatch(setup)
        began = tournament.wall()
        try:
            record = await match.play()
        except DeadEndError:  # the rules are at fault and will be again; the match counts as played, without a result
            record = match.record()
        if any("CE" in row for row in record.errors[:1]):
            raise PlayerError(f"a player of match {setup.match_id} was not there at its START; the others are kept.")
        outcome = _outcome(pairing, setup, record, tournament.wall() - began, tournament.wall())
        if tournament.plan.records:
            write_record(record, Path(tournament.plan.records))
        tournament.store.add(outcome)
        tournament.watcher.end(outcome)

    def _setup(self, pairing: Pairing) -> MatchSetup:
        tournament, plan = self._tournament, self._tournament.plan
        board = tournament.boards[pairing.game]

        def seats(match_id: str) -> Sequence[SeatedPlayer | None]:
            return tuple(self._seats(pairing, board.machine.roles, match_id))

        number = zlib.crc32(pairing.key.encode())
        return plan.setup(number, board.sheet, board.machine, seats, pairing.seed, tournament.wall)

    def _seats(self, pairing: Pairing, roles: Sequence[str], match_id: str) -> Iterator[SeatedPlayer | None]:
        """Who sits where. A player that sits twice is told so by two match ids, as it plays them as two matches."""
        names = iter(pairing.players)
        seen: dict[str, int] = {}
        for role in roles:
            if role == CHANCE:
                yield None
                continue
            name = next(names)
            seen[name] = seen.get(name, 0) + 1
            player: SeatedPlayer = self._players[name]
            if seen[name] > 1:
                player = SecondSeat(player, f"{match_id}.{seen[name]}")
            trace = self._tournament.trace
            yield TracedPlayer(player, match_id, trace) if trace else player


def _outcome(pairing: Pairing, setup: MatchSetup, record: MatchRecord, seconds: float, ended: float) -> Outcome:
    seats = [index for index, role in enumerate(setup.machine.roles) if role != CHANCE]
    goals = tuple(record.goals[seat] or 0 for seat in seats) if record.completed else ()
    errors = tuple(" ".join(row[seat][:2] for row in record.errors if row[seat]) for seat in seats)
    return Outcome(
        key=pairing.key,
        game=pairing.game,
        match_id=record.match_id,
        players=pairing.players,
        roles=tuple(setup.machine.roles[seat] for seat in seats),
        goals=goals,
        errors=errors,
        steps=len(record.moves),
        seconds=round(seconds, 3),
        ended=ended,
        completed=record.completed,
    )
