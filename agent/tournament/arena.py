"""Arenas, which play the matches of a tournament: the interface, and the arena with local agents."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TextIO

from agent.gamemaster.addresses import is_url
from agent.gamemaster.errors import PlayerError, UnplayableError
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import SERVE, Agents, log_files
from agent.gamemaster.match import ManagedMatch, MatchSetup, SeatedPlayer
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.records import MatchRecord
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import available
from agent.progress import Progress, silent
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing
from agent.tournament.seats import SecondSeat, TracedPlayer
from agent.tournament.store import FAILED, Outcome
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from reasoner.rules.points import in_percent
from search.clock import MonotonicClock

LOGS = ThreadPoolExecutor(1, thread_name_prefix="logs")
"""The thread that reads the players' logs, one at a time: a long one would delay the receipt of answers elsewhere."""


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game of the plan: its rulesheet, and the machine with which the manager applies the rules."""

    sheet: Rulesheet
    machine: Machine


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The result of a match, and the new failures of the arena's local players."""

    outcome: Outcome
    record: MatchRecord
    failures: Mapping[str, tuple[FailureKind, ...]] = field(default_factory=dict)


class Arena(Protocol):
    """Plays matches. A cancelled match sends ABORT to its players."""

    @property
    def parallel(self) -> int:
        """Maximum number of simultaneous calls of `play`."""

    async def play(self, pairing: Pairing) -> PlayedMatch:
        """Play the match of a pairing. Raises PlayerError if a player did not answer START, or was busy."""


@dataclass(frozen=True)
class LocalArena:
    """An arena of running players. `trace` receives all messages."""

    plan: TournamentPlan
    boards: Mapping[str, JudgedGame]  # games by their names in the plan
    players: Mapping[str, RemotePlayer]  # players by their names in the plan
    trace: TextIO | None = None
    wall: Callable[[], float] = time.time

    @property
    def parallel(self) -> int:
        """See `Arena`."""
        return self.plan.parallel

    async def play(self, pairing: Pairing) -> PlayedMatch:
        """See `Arena`."""
        setup = self._setup(pairing)
        match = ManagedMatch(setup)
        began = self.wall()
        try:
            record = await match.play()
        except UnplayableError:  # faulty rules would fail again; the match counts as played, without a result
            record = match.record()
        except PlayerError as error:
            news, _ = await self._logged(pairing.players, setup.match_id)
            for name, kinds in news.items():
                error.add_note(f"{name}: {', '.join(kind.what for kind in kinds)}")
            raise
        if any("CE" in row for row in record.errors[:1]):
            raise PlayerError(f"a player of match {setup.match_id} did not answer START; finished matches are stored.")
        news, failed = await self._logged(pairing.players, setup.match_id)
        taken = max(self.wall() - began, 0.0)  # the clock of the system may be set back meanwhile
        return PlayedMatch(_outcome(pairing, setup, record, failed, taken, self.wall()), record, news)

    async def _logged(
        self, names: Sequence[str], match_id: str
    ) -> tuple[dict[str, tuple[FailureKind, ...]], list[int]]:
        """Read the players' logs; return the new failures by player, and the number of failed moves per seat."""
        read = asyncio.get_running_loop().run_in_executor
        return await read(LOGS, lambda: (self._failures(names), self._failed(names, match_id)))

    def _failures(self, names: Sequence[str]) -> dict[str, tuple[FailureKind, ...]]:
        """Return the new failures in the players' logs."""
        found: dict[str, tuple[FailureKind, ...]] = {}
        for name in dict.fromkeys(names):
            if (log := self.players[name].failures) is not None:
                log.read()
                found[name] = log.news()
        return {name: kinds for name, kinds in found.items() if kinds}

    def _failed(self, names: Sequence[str], match_id: str) -> list[int]:
        """Return the number of failed moves per seat; 0 if unknown."""
        logs = [self.players[name].failures for name in names]
        ids = [_seat_id(match_id, names[: seat + 1].count(name)) for seat, name in enumerate(names)]
        return [0 if log is None else len(log.moves(one)) for log, one in zip(logs, ids, strict=True)]

    def _setup(self, pairing: Pairing) -> MatchSetup:
        board = self.boards[pairing.game]

        def seats(match_id: str) -> Sequence[SeatedPlayer | None]:
            return tuple(self._seats(pairing, board.machine.roles, match_id))

        number = zlib.crc32(pairing.key.encode())
        return self.plan.setup(number, board.sheet, board.machine, seats, pairing.seed, self.wall)

    def _seats(self, pairing: Pairing, roles: Sequence[str], match_id: str) -> Iterator[SeatedPlayer | None]:
        """Yield the player of each role. A player with two seats gets two match ids, as if it played two matches."""
        names = iter(pairing.players)
        seen: dict[str, int] = {}
        for role in roles:
            if is_chance(role):
                yield None
                continue
            name = next(names)
            seen[name] = seen.get(name, 0) + 1
            player: SeatedPlayer = self.players[name]
            if seen[name] > 1:
                player = SecondSeat(player, _seat_id(match_id, seen[name]))
            yield TracedPlayer(player, match_id, self.trace) if self.trace else player


def _seat_id(match_id: str, sitting: int) -> str:
    """Return the match id for the seat with number `sitting` (from 1) of a player."""
    return match_id if sitting == 1 else f"{match_id}.{sitting}"


@asynccontextmanager
async def running_players(
    specs: Mapping[str, str],
    matches: int,
    serve: Sequence[str] = SERVE,
    progress: Progress = silent,
    environment: Mapping[str, str] | None = None,
    logs: Path | None = None,
) -> AsyncIterator[dict[str, RemotePlayer]]:
    """Start the players with a SPEC, connect to those with a URL, and wait for all. Stop local players at the end.

    `matches` is the number of simultaneous matches per player. `environment` is added to the environment of local
    players; `logs` is the folder for their logs. Raises PlayerError, RecordError.
    """
    local = [name for name, spec in specs.items() if not is_url(spec)]
    added = {**(environment or {}), "GGP_AGENT_SERVER_MATCHES": str(matches)}
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(session())
        session_of = Agents([specs[name] for name in local], serve, added, progress, log_files(logs, local))
        agents = dict(zip(local, await stack.enter_async_context(session_of), strict=True))
        players = {name: RemotePlayer(http, name, spec) for name, spec in specs.items()} | {
            name: RemotePlayer(http, name, agent.url, agent.failures) for name, agent in agents.items()
        }
        clock = MonotonicClock()
        await asyncio.gather(*(available(p, name not in agents, clock) for name, p in players.items()))
        yield players


def most_seats(pairings: Sequence[Pairing]) -> int:
    """Return the maximum number of seats of one player in a match."""
    return max(pairing.players.count(name) for pairing in pairings for name in pairing.players)


def _outcome(
    pairing: Pairing, setup: MatchSetup, record: MatchRecord, failed: Sequence[int], seconds: float, ended: float
) -> Outcome:
    seats = [index for index, role in enumerate(setup.machine.roles) if not is_chance(role)]
    points = setup.machine.points
    goals = tuple(in_percent(record.goals[seat], points) for seat in seats) if record.completed else ()
    wrong = [[row[seat][:2] for row in record.errors if row[seat]] for seat in seats]
    errors = tuple(" ".join([*kinds, *([FAILED] * moves)]) for kinds, moves in zip(wrong, failed, strict=True))
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
