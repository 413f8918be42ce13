"""The value of a game of one role is proven, and its line reaches it within the time."""

import pytest

from reasoner import load
from search import MonotonicClock, Search
from search.solve import SEARCH_SHARE, solve

CHOICE = """
(role me) (init a) (legal me x) (legal me y) (<= (next got) (does me x)) (<= (next done) (true a))
(<= terminal (true done)) (<= (goal me {most}) (true got)) (<= (goal me 20) (not (true got)))
"""
ENDLESS = """
(role me) (init a) (legal me x) (legal me y) (<= (next a) (true a)) (<= (next b) (does me x))
(<= terminal (true c)) (<= (goal me 100) (true c)) (<= (goal me 0) (not (true c)))
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
    assert len(steps) <= (1 - SEARCH_SHARE) * 0.5 / 0.01 + 1
