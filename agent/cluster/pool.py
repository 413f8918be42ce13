"""Actors of one class on a cluster, each with one job at a time. Nodes may join at any time, and may be lost.

An actor that cannot do a job returns a text that says why.
"""

from __future__ import annotations

import contextlib
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any, Generic, TypeVar

from agent.cluster.connection import connected
from agent.cluster.errors import wrong_node
from agent.cluster.source import own_source

LOOK = 1.0
"""Polling interval for nodes in seconds."""
MAX_DEATHS = 20
"""Maximum consecutive deaths of actors without a finished job, beside those of all actors that there were at once."""

Actor = Any
"""A Ray actor (created dynamically, without a static type)."""
Reference = object
"""A Ray reference of a result that is not there yet."""
Job = TypeVar("Job")
Result = TypeVar("Result")


class ActorPool(ABC, Generic[Job, Result]):
    """One actor per processor of the cluster at `address`. Raises ClusterError.

    The first argument of the actors is the fingerprint of the source code (`check_source`), the others are
    `arguments`. Their method `ready` returns once they are created.
    """

    repeats = False
    """Whether the job of a lost actor is given to another one; else it is lost."""
    error: type[Exception]
    """The class of the exceptions for jobs that fail."""
    dying: str
    """The message if actors keep dying."""

    def __init__(
        self, address: str, actor: type, arguments: tuple[object, ...], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connection = contextlib.ExitStack()
        self._ray: ModuleType = self._connection.enter_context(connected(address))
        self._here = self._ray.get_runtime_context().get_node_id()
        self._class = self._ray.remote(actor).options(num_cpus=1, max_restarts=0)
        self._arguments = [self._ray.put(each) for each in arguments]
        self._clock = clock
        self._looked = -LOOK
        self._jobs: deque[Job] = deque()
        self._rising: dict[Reference, Actor] = {}  # starting actors, by reference
        self._working: dict[Reference, tuple[Actor, Job]] = {}  # busy actors, by reference of their results
        self._idle: list[Actor] = []
        self._deaths = self._most = 0  # `_most`: the largest number of actors so far
        self.width, self.shared = 0, False
        """The processors of the cluster, and whether some are of this machine."""
        self._look()

    @property
    def waiting(self) -> int:
        """The number of jobs that were submitted and are not done."""
        return len(self._jobs) + len(self._working)

    def submit(self, job: Job) -> None:
        """Give a job to an actor as soon as one is idle."""
        self._jobs.append(job)
        self._give()

    def next_done(self, timeout: float) -> Result | None:
        """Return a result, or None after `timeout` seconds at most. Raises `error`."""
        self._look()
        every = [*self._rising, *self._working]
        done, _ = self._ray.wait(every, timeout=min(timeout, LOOK)) if every else ([], [])
        result = None
        for ref in done:  # at most one reference
            if ref in self._rising:
                self._risen(ref)
            else:
                result = self._done(ref)
            self._give()
        return result

    def close(self) -> None:
        """End the actors and the connection."""
        for actor in (*self._rising.values(), *(actor for actor, _ in self._working.values()), *self._idle):
            self._ray.kill(actor)
        self._connection.close()

    @abstractmethod
    def _begin(self, actor: Actor, job: Job) -> Reference:
        """Give a job to an actor; return the reference of its result."""

    def _look(self) -> None:
        """Update the list of processors, and start an actor on each."""
        if self._clock() < self._looked + LOOK:
            return
        self._looked = self._clock()
        nodes = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"]}
        self.width, self.shared = sum(nodes.values()), nodes.get(self._here, 0) > 0
        for _ in range(self.width - self._count):
            actor = self._class.remote(own_source(), *self._arguments)
            self._rising[actor.ready.remote()] = actor
        self._most = max(self._most, self._count)
        for ref in list(self._rising)[: max(self._count - self.width, 0)]:  # more actors than processors
            self._ray.kill(self._rising.pop(ref))

    @property
    def _count(self) -> int:
        return len(self._rising) + len(self._working) + len(self._idle)

    def _risen(self, ref: Reference) -> None:
        actor = self._rising.pop(ref)
        try:
            self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            if (wrong := wrong_node(error)) is not None:
                raise self.error(str(wrong)) from None
            self._lost()
        else:
            self._idle.append(actor)

    def _done(self, ref: Reference) -> Result | None:
        actor, job = self._working.pop(ref)
        try:
            result: Result | str = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError:
            if self.repeats:
                self._jobs.appendleft(job)
            self._lost()
            return None
        self._idle.append(actor)
        if isinstance(result, str):
            raise self.error(result)
        self._deaths = 0
        return result

    def _lost(self) -> None:
        """Count the death of an actor; a node that is lost ends many actors at once."""
        self._deaths += 1
        if self._deaths >= MAX_DEATHS + self._most:
            raise self.error(self.dying)

    def _give(self) -> None:
        """Assign waiting jobs to idle actors."""
        while self._jobs and self._idle:
            job, actor = self._jobs.popleft(), self._idle.pop()
            self._working[self._begin(actor, job)] = actor, job
