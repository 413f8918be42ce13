"""Arena on a cluster. A table is an actor with its own processors; each match is played at the first free table.

If a table is lost with its node, its match is repeated at another table. Nodes may join at any time.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import ModuleType
from typing import Any, TextIO

from agent.cluster.connection import connected
from agent.cluster.errors import ClusterError, wrong_node
from agent.cluster.source import own_source
from agent.cluster.table import RemoteTable, TableSetup
from agent.gamemaster.errors import PlayerError
from agent.gamemaster.rulesheet import Rulesheet
from agent.settings import PREFIX
from agent.tournament.arena import Arena, PlayedMatch, most_seats
from agent.tournament.play import OpenArena, Tournament, TournamentObserver
from agent.tournament.schedule import Pairing

LOOK = 1.0
"""Polling interval for nodes in seconds."""
LIVES = 5
"""Number of tables lost during the same match after which the match is given up, because it may be the cause."""
FAREWELL = 4.0
"""Seconds for a cancelled match to send ABORT to its players."""
MANY = 1000
"""Maximum simultaneous calls of `play`; matches without a table wait."""

Actor = Any
"""A Ray actor (created dynamically, without a static type)."""


class ClusterArena:
    """An `Arena` whose tables are actors; `watcher` is notified of nodes and lost matches."""

    parallel = MANY

    def __init__(
        self,
        ray: ModuleType,
        setup: TableSetup,
        sheets: Mapping[str, Rulesheet],
        trace: TextIO | None,
        watcher: TournamentObserver,
    ) -> None:
        self._ray = ray
        self._trace = trace
        self._watcher = watcher
        self._told = (-1, -1)
        self._processors = setup.processors
        self._actor = ray.remote(RemoteTable).options(num_cpus=setup.processors, max_restarts=0)
        self._setup = ray.put(setup)
        self._sheets = {game: ray.put(sheet) for game, sheet in sheets.items()}
        self._wanted = 0  # number of requested matches that have not ended
        self._tables: set[Actor] = set()
        self._free: asyncio.Queue[Actor | ClusterError] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()

    async def play(self, pairing: Pairing) -> PlayedMatch:
        """See `Arena`. Raises ClusterError if no node can play."""
        self._wanted += 1
        try:
            for _ in range(LIVES):
                table = await self._free_table()
                with suppress(self._ray.exceptions.RayActorError):  # the actor or its node is lost
                    return await self._played(table, pairing)
                self._tables.discard(table)
                self._watcher.lost(pairing.game)
        finally:
            self._wanted -= 1
        raise PlayerError(f"the match {pairing.key} was lost {LIVES} times with its process or its node.")

    async def furnish(self) -> None:
        """Set up a table for each match that waits or runs, as far as the processors suffice; never returns."""
        while True:
            nodes = [node for node in self._ray.nodes() if node["Alive"]]
            room = sum(int(node["Resources"].get("CPU", 0)) // self._processors for node in nodes)
            if self._told != (len(nodes), room):
                self._told = (len(nodes), room)
                self._watcher.nodes(*self._told)
            for _ in range(min(room, self._wanted) - len(self._tables)):
                self._set_up()
            await asyncio.sleep(LOOK)

    def abandoned(self, furnishing: asyncio.Task[None]) -> None:
        """If `furnish` has failed, raise a ClusterError with its reason in all matches that wait for a table."""
        if not furnishing.cancelled() and (error := furnishing.exception()) is not None:
            self._free.put_nowait(ClusterError(f"the cluster is lost: {' '.join(str(error).split())[:300]}"))

    def close(self) -> None:
        """End all tables and their players."""
        for task in self._tasks:
            task.cancel()
        for table in self._tables:
            self._ray.kill(table)

    async def _free_table(self) -> Actor:
        """Return a free table that is not lost: a match counts as lost only if it has begun."""
        while True:
            table = await self._free.get()
            if isinstance(table, ClusterError):
                self._free.put_nowait(table)  # for the other waiting matches
                raise table
            with suppress(self._ray.exceptions.RayActorError):
                await table.ready.remote()
                return table
            self._tables.discard(table)

    async def _played(self, table: Actor, pairing: Pairing) -> PlayedMatch:
        asked = table.play.remote(pairing, self._sheets[pairing.game])
        try:
            played, trace = await asked
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except asyncio.CancelledError:
            self._ray.cancel(asked)
            with suppress(self._ray.exceptions.RayError, TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(asked.future()), FAREWELL)
            raise
        if self._trace is not None:
            self._trace.write(trace)
            self._trace.flush()
        self._free.put_nowait(table)
        assert isinstance(played, PlayedMatch)
        return played

    def _set_up(self) -> None:
        table = self._actor.remote(self._setup)
        self._tables.add(table)
        task = asyncio.create_task(self._wait_for(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wait_for(self, table: Actor) -> None:
        """Offer the table when it is ready; if its node cannot run it, let waiting matches fail."""
        errors = self._ray.exceptions
        try:
            await table.ready.remote()
        except (errors.RayTaskError, errors.ActorDiedError) as error:
            self._tables.discard(table)
            if (wrong := wrong_node(error)) is not None:
                self._free.put_nowait(wrong)
        except errors.RayActorError:
            self._tables.discard(table)
        else:
            self._free.put_nowait(table)


def cluster_arena(address: str, processors: int = 0) -> OpenArena:
    """Return a function that opens an arena on the cluster at `address`.

    Each table gets `processors` processors; 0: one processor per seat, but at most as many as the largest
    node has.
    """

    @asynccontextmanager
    async def opened(tournament: Tournament, left: Sequence[Pairing]) -> AsyncIterator[Arena]:
        with connected(address) as ray:
            sheets = {pairing.game: tournament.boards[pairing.game].sheet for pairing in left}
            setup = _setup(tournament, left, processors or _processors(ray, left))
            arena = ClusterArena(ray, setup, sheets, tournament.trace, tournament.watcher)
            furnishing = asyncio.create_task(arena.furnish())
            furnishing.add_done_callback(arena.abandoned)
            try:
                yield arena
            finally:
                furnishing.cancel()
                arena.close()

    return opened


def _setup(tournament: Tournament, left: Sequence[Pairing], processors: int) -> TableSetup:
    return TableSetup(
        tournament.plan,
        own_source(),
        most_seats(left),
        processors,
        {name: value for name, value in os.environ.items() if name.startswith(PREFIX)},
        tournament.trace is not None,
        tuple(tournament.serve)[1:],  # without Python, because each machine uses its own
    )


def _processors(ray: ModuleType, left: Sequence[Pairing]) -> int:
    """Return one processor per seat, at most those of the largest node."""
    largest = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    return max(min(largest, max(len(pairing.players) for pairing in left)), 1)
