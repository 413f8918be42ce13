"""Series of matches of one game between the same players, who rotate their roles."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.errors import SpecError
from agent.gamemaster.addresses import has_host, is_url
from agent.gamemaster.conditions import Conditions
from agent.gamemaster.errors import PlayerError, SeatError
from agent.gamemaster.failures import FailureKind
from agent.gamemaster.local import SERVE, SLOW, Agents, LocalAgent, log_files
from agent.gamemaster.match import ManagedMatch, MatchSetup, PlayedStep
from agent.gamemaster.player import PlayoutRates, RemotePlayer, session
from agent.gamemaster.records import MatchRecord, make_folder, write_record
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.statistics import Difference, Estimate, difference, estimate
from agent.players.spec import check_spec
from agent.protocol.write import BUSY
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from reasoner.rules.points import in_percent
from search.clock import Clock, MonotonicClock

DEFAULT_SPEC = "mcts"
LENIENT = {"GGP_AGENT_RULES_LENIENT": "true"}
"""The environment of a local agent that reads rules leniently."""
READY_SECONDS = 120.0  # a local agent may compile kernels before it is available
POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class SeriesPlan(Conditions):
    """Plan of a series. `specs` are the players in seat order of the first match; empty means `mcts` at each seat."""

    rulesheet: Rulesheet
    specs: tuple[str, ...] = ()
    matches: int = 1
    folder: Path | None = None  # where records go
    logs: Path | None = None  # where the logs of local agents go
    serve: tuple[str, ...] = SERVE  # the command of a local agent
    lenient: bool = False  # whether local agents read rules leniently
    wall: Callable[[], float] = time.time


class SeriesObserver:
    """Observer of a series; all methods are optional."""

    def waiting(self) -> None:
        """The players take long to start."""

    def compiling(self, done: int, of: int) -> None:
        """A player has compiled `done` of at most `of` kernels."""

    def begin(self, match: MatchSetup) -> None:
        """A match starts."""

    def step(self, match: MatchSetup, step: PlayedStep) -> None:
        """A joint move was made."""

    def end(self, result: MatchResult) -> None:
        """A match has ended; its record is written, or cannot be."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match and its seating: `seating[role]` is the index of the role's player, None for chance."""

    record: MatchRecord
    roles: tuple[str, ...]
    players: tuple[str, ...]
    seating: tuple[int | None, ...]
    path: Path | None
    playouts_per_s: tuple[float | None, ...]  # playouts per second, per player; None if not reported
    failed: tuple[frozenset[int] | None, ...]  # numbers of the failed moves, per player; None for a remote player

    def lost_moves(self, player: int) -> int:
        """Count the moves that a player did not choose: its failed moves, and the illegal answers of its agent."""
        role = self.seating.index(player)
        wrong = {step for step, row in enumerate(self.record.errors) if step and row[role][:2] in ("IL", "CE")}
        return len(wrong | (self.failed[player] or frozenset()))


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """Result of one player: its score, errors by kind (TO, IL, CE), and number of failed moves.

    `failed` is None (unknown) for a remote player.
    """

    name: str
    spec: str
    score: Estimate
    errors: Mapping[str, int]
    failed: int | None = None


def seating(roles: Sequence[str], players: int, match: int) -> tuple[int | None, ...]:
    """Return the player of each role in match number `match` (from 0). The players rotate by one seat per match."""
    seats = iter(range(players))
    return tuple(None if is_chance(role) else (next(seats) + match) % players for role in roles)


def seat_specs(specs: Sequence[str], roles: Sequence[str]) -> tuple[str, ...]:
    """Return one SPEC per role except chance. Raises SeatError for a wrong number, SpecError for an unknown player."""
    seats = [role for role in roles if not is_chance(role)]
    if not specs:
        return (DEFAULT_SPEC,) * len(seats)
    if len(specs) != len(seats):
        raise SeatError(
            f"{len(specs)} players for {len(seats)} roles ({', '.join(seats)}): give one --player per role."
        )
    check_specs(specs)
    return tuple(specs)


def check_specs(specs: Sequence[str]) -> None:
    """Raise SpecError for the first SPEC that is neither a player nor a URL, or for a URL that occurs twice."""
    for index, spec in enumerate(specs):
        if not is_url(spec):
            check_spec(spec)
        elif not has_host(spec):
            raise SpecError(f"{spec!r:.80} is not the address of a player: give http://HOST:PORT")
        elif spec in specs[:index]:
            raise SpecError(f"{spec!r:.80} is given twice, but it plays only one role of a match: start another agent")


def player_names(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names in tables: their SPECs, numbered if a SPEC occurs several times."""
    return tuple(
        spec if specs.count(spec) == 1 else f"{spec} #{specs[: index + 1].count(spec)}"
        for index, spec in enumerate(specs)
    )


class Series:
    """A series in progress. `results` has the finished matches, even after an interruption."""

    def __init__(self, plan: SeriesPlan, machine: Machine, observer: SeriesObserver) -> None:
        self.plan = plan
        self.machine = machine
        self.observer = observer
        self.specs = seat_specs(plan.specs, machine.roles)
        self.names = player_names(self.specs)
        self.results: list[MatchResult] = []
        here = {name: spec for name, spec in zip(self.names, self.specs, strict=True) if not is_url(spec)}
        settings = LENIENT if plan.lenient else None
        logs = log_files(plan.logs, list(here))
        self.agents = Agents(list(here.values()), plan.serve, settings, observer.compiling, logs)

    async def run(self) -> None:
        """Play all matches. Raises PlayerError, UnplayableError, RecordError."""
        if self.plan.folder:
            make_folder(self.plan.folder)
        notice = asyncio.get_running_loop().call_later(SLOW, self.observer.waiting)
        async with self.agents as agents, session() as http:
            notice.cancel()
            local = iter(agents)
            urls = [spec if is_url(spec) else next(local).url for spec in self.specs]
            players = [RemotePlayer(http, name, url) for name, url in zip(self.names, urls, strict=True)]
            clock = MonotonicClock()
            await asyncio.gather(*(available(p, is_url(s), clock) for p, s in zip(players, self.specs, strict=True)))
            for number in range(self.plan.matches):
                await self._match(number, players)

    def standings(self) -> tuple[PlayerScore, ...]:
        """Return the table in the order of the players; only completed matches count."""
        return tuple(self._standing(index) for index in range(len(self.specs)))

    def difference(self) -> Difference | None:
        """Compare the scores of two players; None for other numbers of players, or before the first result."""
        if len(self.specs) != 2:
            return None
        matches = [result for result in self.results if result.record.completed]
        ones, others = ([self._score(r, r.seating.index(player)) for r in matches] for player in (0, 1))
        return difference(ones, others)

    def repeated(self) -> int:
        """Count the completed matches that have the seating and all moves of an earlier one."""
        played = [(result.seating, result.record.moves) for result in self.results if result.record.completed]
        return len(played) - len(set(played))

    def _score(self, result: MatchResult, role: int) -> float:
        """Return a role's goal in percent of the maximum, 0..100."""
        return in_percent(result.record.goals[role], self.machine.points)

    def failures(self) -> dict[str, tuple[FailureKind, ...]]:
        """Return the failures of local players by name; players without failures are omitted."""
        found = {name: agent.failures.kinds for name, agent in zip(self.names, self._local(), strict=True) if agent}
        return {name: kinds for name, kinds in found.items() if kinds}

    def hopeless(self) -> tuple[str, ...]:
        """Return the local players that failed at every move."""
        asked = sum(len(result.record.moves) for result in self.results)
        lost = {
            name: sum(result.lost_moves(index) for result in self.results)
            for index, (name, spec) in enumerate(zip(self.names, self.specs, strict=True))
            if not is_url(spec)
        }
        return tuple(name for name, moves in lost.items() if 0 < asked <= moves)

    def _local(self) -> list[LocalAgent | None]:
        """Return the agent of each local player; None for a remote player."""
        running = iter(self.agents.running)
        return [None if is_url(spec) else next(running, None) for spec in self.specs]

    def _failed(self, match_id: str) -> tuple[frozenset[int] | None, ...]:
        agents = self._local()
        for agent in filter(None, agents):
            agent.failures.read()
        return tuple(None if agent is None else agent.failures.moves(match_id) for agent in agents)

    async def _match(self, number: int, players: Sequence[RemotePlayer]) -> None:
        order = seating(self.machine.roles, len(players), number)
        setup = self._setup(number, [None if seat is None else players[seat] for seat in order])
        rates = PlayoutRates(players)

        async def on_step(step: PlayedStep) -> None:
            self.observer.step(setup, step)
            await rates.ask()

        match = ManagedMatch(setup, on_step)
        self.observer.begin(setup)
        try:
            await match.play()
        except BaseException:  # keep an interrupted match, too
            self._keep(match.record(), order, rates)
            raise
        try:
            self._keep(match.record(), order, rates)
        finally:
            self.observer.end(self.results[-1])

    def _keep(self, record: MatchRecord, order: tuple[int | None, ...], rates: PlayoutRates) -> None:
        """Add a match to the results, and then write its record. Raises RecordError."""
        failed = self._failed(record.match_id)
        result = MatchResult(record, self.machine.roles, self.names, order, None, rates.rates(), failed)
        self.results.append(result)
        if self.plan.folder:
            self.results[-1] = replace(result, path=write_record(record, self.plan.folder))

    def _setup(self, number: int, seats: Sequence[RemotePlayer | None]) -> MatchSetup:
        plan = self.plan
        seed = f"{plan.seed}/{number}"
        return plan.setup(number + 1, plan.rulesheet, self.machine, lambda _: seats, seed, plan.wall)

    def _standing(self, player: int) -> PlayerScore:
        scores: list[float] = []
        errors = {"TO": 0, "IL": 0, "CE": 0}
        for result in self.results:
            role = result.seating.index(player)
            if result.record.completed:
                scores.append(self._score(result, role))
            for row in result.record.errors:
                if row[role]:
                    errors[row[role][:2]] += 1
        failed = [result.failed[player] for result in self.results]
        known = None if is_url(self.specs[player]) else sum(len(moves or ()) for moves in failed)
        return PlayerScore(self.names[player], self.specs[player], estimate(scores), errors, known)


async def available(player: RemotePlayer, remote: bool, clock: Clock) -> None:
    """Check that a player is available; wait for a local one to warm up. Raises PlayerError."""
    deadline = clock.now() + (0.0 if remote else READY_SECONDS)
    while (await player.info()).get("status") == BUSY:
        if clock.now() >= deadline:
            raise PlayerError(f"player {player.name} at {player.url} is busy, perhaps with another match.")
        await asyncio.sleep(POLL_SECONDS)
