"""The solver's process answers what brute force answers, and a lost process never blocks its client."""

from __future__ import annotations

import itertools
import os
import signal
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.sat.solver import Answer, Solver, Verdict

VARIABLES = 5


def answered(solver: Solver, seconds: float = 30.0) -> Answer | None:
    end = time.monotonic() + seconds
    while (answer := solver.poll()) is None and not solver.lost and time.monotonic() < end:
        time.sleep(0.001)
    return answer


def pigeons(solver: Solver, holes: int) -> None:
    """One pigeon more than there are holes: false, and hard to see."""
    place = np.arange(1, (holes + 1) * holes + 1, dtype=np.int32).reshape(holes + 1, holes)
    solver.free(place.reshape(-1))
    solver.clauses(place.tolist())
    pairs = itertools.combinations(range(holes + 1), 2)
    solver.clauses([[-int(place[a, h]), -int(place[b, h])] for a, b in pairs for h in range(holes)])


literal = st.integers(1, VARIABLES + 2).flatmap(lambda v: st.sampled_from((v, -v)))
gate = st.tuples(*[st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from((v, -v)))] * 2)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(gate, min_size=2, max_size=2),
    st.lists(st.lists(literal, min_size=1, max_size=3), max_size=8),
    st.lists(literal, max_size=2, unique_by=abs),
    st.integers(0, VARIABLES),
)
def test_answers_are_those_of_brute_force(
    gates: list[tuple[int, int]], clauses: list[list[int]], assumed: list[int], most: int
) -> None:
    def holds(values: tuple[bool, ...], number: int) -> bool:
        return values[abs(number) - 1] == (number > 0)

    def fits(free: tuple[bool, ...]) -> bool:
        values = (*free, *(holds(free, a) and holds(free, b) for a, b in gates))
        wanted = all(any(holds(values, each) for each in clause) for clause in clauses)
        return wanted and all(holds(values, each) for each in assumed) and sum(free) <= most

    expected = [free for free in itertools.product((False, True), repeat=VARIABLES) if fits(free)]
    solver = Solver(512, 10)
    solver.free(np.arange(1, VARIABLES + 1, dtype=np.int32))
    solver.gates(np.array([(VARIABLES + 1 + k, *each) for k, each in enumerate(gates)], np.int32))
    solver.clauses(clauses)
    solver.at_least(0, most + 1, list(range(1, VARIABLES + 1)))
    solver.solve(10, assumed)
    answer = answered(solver)
    solver.close()
    assert answer is not None
    assert answer.verdict == (Verdict.YES if expected else Verdict.NO)
    if expected:
        assert tuple(v in answer.true for v in range(1, VARIABLES + 1)) in expected


def test_a_program_may_grow_between_questions() -> None:
    solver = Solver(512, 10)
    solver.free(np.array([1, 2], np.int32))
    solver.clauses([[1, 2]])
    solver.solve(10, [-1])
    assert answered(solver) == Answer(Verdict.YES, (2,))
    solver.gates(np.array([[3, 1, 2]], np.int32))
    solver.solve(10, [3])
    assert answered(solver) == Answer(Verdict.YES, (1, 2))
    solver.clauses([[-3]])
    solver.solve(10, [3])
    assert answered(solver) == Answer(Verdict.NO, ())
    solver.close()


def test_a_question_without_an_answer_in_its_time_is_not_known() -> None:
    solver = Solver(1024, 60)
    pigeons(solver, 14)
    solver.solve(0.05)
    answer = answered(solver)
    solver.close()
    assert answer == Answer(Verdict.UNKNOWN, ())


@pytest.mark.parametrize(("mib", "seconds", "holes"), [(1024, 1, 14), (120, 60, 90)], ids=["time", "memory"])
def test_a_process_past_its_limit_of_processor_time_or_memory_is_lost(mib: int, seconds: int, holes: int) -> None:
    solver = Solver(mib, seconds)
    pigeons(solver, holes)
    solver.solve(1000)
    assert answered(solver, 60.0) is None
    assert solver.lost


def test_a_process_that_is_killed_is_lost() -> None:
    solver = Solver(512, 10)
    os.kill(solver._process.pid, signal.SIGKILL)
    solver.solve(10)
    assert answered(solver) is None
    assert solver.lost


def test_a_stopped_process_does_not_block_the_client() -> None:
    solver = Solver(512, 10)
    os.kill(solver._process.pid, signal.SIGSTOP)
    solver.free(np.arange(1, 1_000_000, dtype=np.int32))
    solver.solve(10)
    assert solver.poll() is None
    assert not solver.lost
    solver.close()
    assert solver._process.returncode == -signal.SIGKILL


def test_a_process_ends_when_its_input_is_closed() -> None:
    solver = Solver(1024, 60)
    pigeons(solver, 14)
    solver.solve(1000)
    while solver._waiting:
        solver.poll()
    assert solver._process.stdin is not None
    solver._process.stdin.close()
    assert solver._process.wait(30) == 0
    solver.lost = True
