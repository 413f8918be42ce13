"""Proof search on a cluster: one actor per processor, each with a solver and a table of its own.

The job of a lost actor is repeated by another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from agent.cluster.pool import Actor, ActorPool, Reference
from agent.cluster.processors import reserve
from agent.cluster.source import check_source
from reasoner import load_text
from reasoner.errors import ReasonerError
from search.errors import SearchError, UnsolvableError
from search.solver import Solver
from search.solver.job_tree import Job, JobDone, work


class PositionSolver:
    """Actor class that searches positions of one game; it does not import Ray.

    Raises ClusterError if this machine has another version of the agent.
    """

    def __init__(self, source: str, rules: str, memory_mib: int) -> None:
        check_source(source)
        reserve(1)
        self._rules, self._memory_mib = rules, memory_mib
        self._solver: Solver | None = None

    def ready(self) -> None:
        """Return once the actor is created."""

    def work(self, job: Job) -> JobDone | str:
        """Do a job; return the result or an error text."""
        try:
            if self._solver is None:
                self._solver = Solver(load_text(self._rules, engine="circuit"), memory_mib=self._memory_mib)
            return work(self._solver, job)
        except (ReasonerError, SearchError, MemoryError) as error:
            return str(error) or f"{type(error).__name__} on a node"


class ClusterSolvers(ActorPool[Job, JobDone]):
    """The `Workers` of a solver on the cluster at `address` (`search.solver.job_tree`). Raises ClusterError.

    memory_mib: of the table of each actor.
    """

    repeats = True
    error = UnsolvableError
    dying = "the solver's processes keep dying on all nodes: the machines may be out of memory, lower --memory"

    def __init__(self, address: str, rules: str, memory_mib: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(address, PositionSolver, (rules, memory_mib), clock)

    def _begin(self, actor: Actor, job: Job) -> Reference:
        return actor.work.remote(job)
