"""A position that many solvers search by jobs has the value of an exhaustive search, whatever jobs are lost."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cli.moves import state_after
from agent.gamemaster.games import bundled_game
from search import MonotonicClock
from search.errors import UnsolvableError
from search.solver import Solver, job_tree
from search.solver.job_tree import Job, JobDone, JobTree, solve_by_jobs, work
from tests.machines import built
from tests.search.solver.games import Duel, duels


class Unreliable:
    """Workers of this process; jobs end in any order, and some are lost and begin again elsewhere."""

    def __init__(self, rules: str, seed: int, width: int = 3) -> None:
        self._rng, self._jobs, self.width = Random(seed), list[Job](), width
        self._solvers = [Solver(built(rules), memory_mib=1, seed=seed + i) for i in range(width)]

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def submit(self, job: Job) -> None:
        assert len(self._jobs) < self.width
        self._jobs.append(job)

    def next_done(self, _: float) -> JobDone | None:
        if not self._jobs or self._rng.random() < 0.2:
            return None
        job = self._jobs.pop(self._rng.randrange(len(self._jobs)))
        return work(self._rng.choice(self._solvers), job)


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """A job makes few expansions, so that the tree grows."""
    monkeypatch.setattr(job_tree, "JOB_SECONDS", 0.0)


@given(duels(), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_the_score_is_that_of_an_exhaustive_search(duel: Duel, seed: int):
    solver = Solver(built(duel.rules), memory_mib=1)
    assert solve_by_jobs(solver, Unreliable(duel.rules, seed), 60, MonotonicClock())
    assert solver.low == duel.value()


def test_a_position_of_a_larger_game_has_the_same_value():
    rules = bundled_game("connectFour").text
    machine = built(rules)
    state = state_after(machine, [f"(drop {column})" for column in "726121347245152162"])
    alone, solver = (Solver(machine, state, memory_mib=8) for _ in range(2))
    assert alone.run(60)
    assert solve_by_jobs(solver, Unreliable(rules, 1), 60, MonotonicClock())
    assert solver.low == alone.low
    assert solver.elsewhere > 0


def test_jobs_in_work_are_different_positions():
    solver = Solver(built(bundled_game("connectFour").text), memory_mib=8)
    tree = JobTree(solver, solver.trying, count())
    tree.grow(10)
    jobs = [tree.next_job() for _ in range(10)]
    assert len({job.facts for job in jobs if job is not None}) == 10


def test_one_leaf_is_one_job():
    solver = Solver(built(bundled_game("connectFour").text), memory_mib=8)
    tree = JobTree(solver, solver.trying, count())
    assert tree.next_job() is not None
    assert tree.next_job() is None


REPEATING = """
(role a) (role b) (init (at 0)) (init (turn a)) (step 0 x 1) (step 1 x 0) (step 0 y 2) (step 1 y 2)
(<= (legal ?r ?m) (true (turn ?r)) (true (at ?n)) (step ?n ?m ?k))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (at ?k)) (true (at ?n)) (does ?r ?m) (step ?n ?m ?k))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= terminal (true (at 2)))
(<= (goal a 0) (true (turn b))) (<= (goal a 100) (true (turn a)))
(<= (goal b 100) (true (turn b))) (<= (goal b 0) (true (turn a)))
"""


def test_positions_that_repeat_are_refused():
    solver = Solver(built(REPEATING), memory_mib=1)
    with pytest.raises(UnsolvableError, match="positions repeat"):
        JobTree(solver, solver.trying, count()).grow(50)
