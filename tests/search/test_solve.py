"""The value of a game of one role is proven, and its line reaches it within the time."""

import pytest

from reasoner import load
from search import MonotonicClock, Search
from search.solve import LINE_SECONDS, solve

CHOICE = """
(role me) (init a) (legal me x) (legal me y) (<= (next got) (does me x)) (<= (next done) (true a))
(<= terminal (true done)) (<= (goal me {most}) (true got)) (<= (goal me 20) (not (true got)))
"""
ENDLESS = """
(role me) (init a) (legal me x) (legal me y) (<= (next a) (true a)) (<= (next b) (does me x))
(<= terminal (true c)) (<= (goal me 100) (true c)) (<= (goal me 0) (not (true c)))
"""
STEPS = """
(role me) (init (step 0)) (after 0 1) (after 1 2) (after 2 3) (legal me x) (legal me y) (<= (next bad) (true bad))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m)) (<= (next bad) (does me y))
(<= terminal (true (step 3)))
(<= (goal me 60) (not (true bad))) (<= (goal me 0) (true bad)) (<= (goal me 100) (true never))
"""


@pytest.mark.parametrize("most", [29, 57, 60, 90])
def test_values_that_single_precision_rounds_are_solved(most):
    found = solve(load(CHOICE.format(most=most), "circuit"), threads=1, memory_mib=64)
    assert (found.solved, found.goals, found.line) == (True, (most,), ("x",))


def test_a_line_that_does_not_reach_the_proven_value_proves_nothing(monkeypatch):
    machine = load(CHOICE.format(most=60), "circuit")
    monkeypatch.setattr(Search, "best", lambda _: machine.legal(machine.initial())[0][1])
    found = solve(machine, threads=1, memory_mib=64)
    assert (found.solved, found.goals, found.bounds, found.line) == (False, None, ((20, 100),), ("y",))


def test_a_line_without_an_end_is_played_within_the_time(monkeypatch):
    """Up to its limit of moves it took ten times as long as was given."""
    late, steps = [0.0], []

    class Clock(MonotonicClock):
        def now(self) -> float:
            return super().now() + late[0]

    def step(*joint_and_state):
        late[0] += 0.01
        steps.append(joint_and_state)

    monkeypatch.setattr(Search, "advance", step)
    found = solve(load(ENDLESS, "circuit"), seconds=0.5, threads=1, memory_mib=64, clock=Clock())
    assert (found.solved, found.line) == (False, ())
    assert len(steps) <= LINE_SECONDS / 0.01 + 1


def test_a_line_that_is_not_proven_is_played_to_its_end(monkeypatch):
    """No search of its first moves takes the time that is left."""
    time = [0.0]

    class Clock(MonotonicClock):
        def now(self) -> float:
            return time[0]

    def think(_: Search, deadline: float, *_stop: object) -> None:
        time[0] = deadline

    monkeypatch.setattr(Search, "think", think)
    found = solve(load(STEPS, "circuit"), seconds=10, threads=1, memory_mib=64, clock=Clock())
    assert (found.solved, found.bounds, found.line) == (False, ((60, 100),), ("x", "x", "x"))
