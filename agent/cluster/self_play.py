"""Self-play on a cluster: one actor per processor, with one job at a time.

A network is sent to each node once. The job of a lost actor is lost; nodes may join at any time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from agent.cluster.pool import Actor, ActorPool, Reference
from agent.cluster.processors import reserve
from agent.cluster.source import check_source
from reasoner.errors import ReasonerError
from search.errors import StudyError
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, play_games


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


class ClusterActors(ActorPool[SelfPlayJob, Games]):
    """The `Actors` of a study on the cluster at `address` (`search.study.actors`). Raises ClusterError."""

    error = StudyError
    dying = "self-play processes keep dying on all nodes; the machines may be out of memory"

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._network: bytes | None = None  # the last network that was sent
        self._sent: Reference | None = None  # Ray's reference to the last network
        super().__init__(address, SelfPlayer, (), clock)

    def _begin(self, actor: Actor, job: SelfPlayJob) -> Reference:
        if self._sent is None or job.network != self._network:  # send each network only once
            self._network, self._sent = job.network, self._ray.put(job.network)
        return actor.play.remote(replace(job, network=None), self._sent)
