"""Where the matches of a tournament are played: between agents of this machine, or wherever another arena has them."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TextIO

from agent.gamemaster.errors import DeadEndError, PlayerError
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import SERVE, Agents, log_files
from agent.gamemaster.match import ManagedMatch, MatchSetup, SeatedPlayer
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.records import MatchRecord
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import available, is_url
from agent.progress import Progress, silent
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing
from agent.tournament.seats import SecondSeat, TracedPlayer
from agent.tournament.store import FAILED, Outcome
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from reasoner.rules.points import in_percent
from search.clock import MonotonicClock


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game with its machine, which the manager judges by."""

    sheet: Rulesheet
    machine: Machine


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What came of a match, and the ways in which players of the arena's machine have failed since the one before."""

    outcome: Outcome
    record: MatchRecord
    failures: Mapping[str, tuple[FailureKind, ...]] = field(default_factory=dict)


class Arena(Protocol):
    """Plays matches. A match that is called off tells its players so."""

    @property
    def parallel(self) -> int:
        """Matches that may be asked for at the same time."""

    async def play(self, pairing: Pairing) -> PlayedMatch:
        """The match of a pairing, played. Raises PlayerError where a player was not there at its START."""


@dataclass(frozen=True)
class LocalArena:
    """An arena of players that are there. `trace` takes everything sent and received."""

    plan: TournamentPlan
    boards: Mapping[str, JudgedGame]  # by the games' names in the plan
    players: Mapping[str, RemotePlayer]  # by their names in the plan
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
        except DeadEndError:  # the rules are at fault and will be again; the match counts as played, without a result
            record = match.record()
        if any("CE" in row for row in record.errors[:1]):
            raise PlayerError(f"a player of match {setup.match_id} was not there at its START; the others are kept.")
        news = self._failures(pairing.players)
        failed = self._failed(pairing.players, setup.match_id)
        return PlayedMatch(_outcome(pairing, setup, record, failed, self.wall() - began, self.wall()), record, news)

    def _failures(self, names: Sequence[str]) -> dict[str, tuple[FailureKind, ...]]:
        """What the logs of the players tell that was not told before."""
        found: dict[str, tuple[FailureKind, ...]] = {}
        for name in dict.fromkeys(names):
            if (log := self.players[name].failures) is not None:
                log.read()
                found[name] = log.news()
        return {name: kinds for name, kinds in found.items() if kinds}

    def _failed(self, names: Sequence[str], match_id: str) -> list[int]:
        """Of each seat the moves that its player failed at; 0 where that is not known."""
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
        """Who sits where. A player that sits twice is told so by two match ids, as it plays them as two matches."""
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
    """The id that a player knows a match by at its first, second ... seat of it."""
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
    """The players of these names, by SPEC or URL, all there; those of this machine end with the context.

    `matches` is how many each plays at the same time, `environment` what local ones find besides this process's own,
    `logs` the folder of their logs. Raises PlayerError, RecordError.
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
    """How many seats of one match the same player sits at."""
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
