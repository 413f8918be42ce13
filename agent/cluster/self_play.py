"""Self-play on a cluster: one actor per processor, with one job at a time.

A network is sent to each node once. The job of a lost actor is lost; nodes may join at any time.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

from agent.cluster.connection import connected
from agent.cluster.errors import wrong_node
from agent.cluster.processors import reserve
from agent.cluster.source import check_source, own_source
from reasoner.errors import ReasonerError
from search.errors import StudyError
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, play_games

LOOK = 1.0
"""Polling interval for nodes in seconds."""
MAX_DEATHS = 20
"""Maximum consecutive deaths of actors without a finished game."""

Actor = Any
"""A Ray actor (created dynamically, without a static type)."""


class SelfPlayer:
    """Actor class that plays self-play games; it does not import Ray.

    Raises ClusterError if this machine has another version of the agent.
    """

    def __init__(self, source: str) -> None:
        check_source(source)
        reserve(1)

    def ready(self) -> None:
        """Return once the actor is created."""

    def play(self, job: SelfPlayJob, network: bytes | None) -> Games | str:
        """Play a job with `network` in place of the job's own; return the games or an error text."""
        try:
            return play_games(replace(job, network=network))
        except ReasonerError as error:
            return str(error)


class ClusterActors:
    """The `Actors` of a study on the cluster at `address` (`search.study.actors`). Raises ClusterError."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._connection = contextlib.ExitStack()
        self._ray: ModuleType = self._connection.enter_context(connected(address))
        self._here = self._ray.get_runtime_context().get_node_id()
        self._class = self._ray.remote(SelfPlayer).options(num_cpus=1, max_restarts=0)
        self._clock = clock
        self._looked = -LOOK
        self._jobs: deque[SelfPlayJob] = deque()
        self._rising: dict[Any, Actor] = {}  # starting actors, by reference
        self._playing: dict[Any, Actor] = {}  # busy actors, by reference of their games
        self._idle: list[Actor] = []
        self._network: bytes | None = None  # the last network that was sent
        self._sent: Any = None  # Ray's reference to the last network
        self._deaths = 0
        self.width, self.shared = 0, False
        self._look()

    @property
    def waiting(self) -> int:
        """See `Actors`."""
        return len(self._jobs) + len(self._playing)

    def submit(self, job: SelfPlayJob) -> None:
        """See `Actors`."""
        self._jobs.append(job)
        self._give()

    def next_done(self, timeout: float) -> Games | None:
        """See `Actors`. Also raises StudyError if no node can play."""
        self._look()
        every = [*self._rising, *self._playing]
        done, _ = self._ray.wait(every, timeout=min(timeout, LOOK)) if every else ([], [])
        games = None
        for ref in done:  # at most one reference
            if ref in self._rising:
                self._risen(ref)
            else:
                games = self._played(ref)
            self._give()
        return games

    def close(self) -> None:
        """See `Actors`."""
        for actor in (*self._rising.values(), *self._playing.values(), *self._idle):
            self._ray.kill(actor)
        self._connection.close()

    def _look(self) -> None:
        """Update the list of processors, and start an actor on each."""
        if self._clock() < self._looked + LOOK:
            return
        self._looked = self._clock()
        nodes = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"]}
        self.width, self.shared = sum(nodes.values()), nodes.get(self._here, 0) > 0
        for _ in range(self.width - self._count):
            actor = self._class.remote(own_source())
            self._rising[actor.ready.remote()] = actor
        for ref in list(self._rising)[: max(self._count - self.width, 0)]:  # more actors than processors
            self._ray.kill(self._rising.pop(ref))

    @property
    def _count(self) -> int:
        return len(self._rising) + len(self._playing) + len(self._idle)

    def _risen(self, ref: Any) -> None:  # noqa: ANN401 Ray's references are untyped
        actor = self._rising.pop(ref)
        try:
            self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            if (wrong := wrong_node(error)) is not None:
                raise StudyError(str(wrong)) from None
            self._lost()
        else:
            self._idle.append(actor)

    def _played(self, ref: Any) -> Games | None:  # noqa: ANN401 as above
        actor = self._playing.pop(ref)
        try:
            games: Games | str = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError:
            self._lost()
            return None
        self._idle.append(actor)
        if isinstance(games, str):
            raise StudyError(games)
        self._deaths = 0
        return games

    def _lost(self) -> None:
        self._deaths += 1
        if self._deaths >= MAX_DEATHS:
            raise StudyError("self-play processes keep dying on all nodes; the machines may be out of memory")

    def _give(self) -> None:
        """Assign waiting jobs to idle actors."""
        while self._jobs and self._idle:
            job, actor = self._jobs.popleft(), self._idle.pop()
            if self._sent is None or job.network != self._network:  # send each network only once
                self._network, self._sent = job.network, self._ray.put(job.network)
            self._playing[actor.play.remote(replace(job, network=None), self._sent)] = actor
