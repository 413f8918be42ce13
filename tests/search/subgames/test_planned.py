"""Compound games of one role are planned over their subgames, and played out."""

from __future__ import annotations

import pytest

from search import MonotonicClock, SearchOptions
from search.search import Search
from search.subgames.planned import PlannedSearch
from tests.search.subgames.games import compiled

OPTIONS = SearchOptions(memory_mib=64, threads=1, seed=1, ideas=False)


@pytest.mark.parametrize(
    ("name", "best"),
    [("bestButtons", 100), ("fusedButtons", 40), ("jointButtons", 100), ("allButtons", 100), ("multipleButtons", 100)],
)
def test_the_best_score_is_reached(name: str, best: int) -> None:
    machine, clock = compiled(name), MonotonicClock()
    state = machine.initial()
    search = Search(machine, 0, state, OPTIONS, clock)
    assert isinstance(search._thinker, PlannedSearch)
    search.think(clock.now() + 100)
    assert search.solved
    while not machine.terminal(state):
        move = search.best()
        search.commit(move)
        state = machine.next(state, [move])
        search.advance([move], state)
        search.think(clock.now() + 0.1)
    assert machine.goal(state) == (best,)


def test_what_was_factored_is_told_and_the_plan_is_given_up_with_the_subgames() -> None:
    machine, clock = compiled("allButtons"), MonotonicClock()
    state = machine.initial()
    search = Search(machine, 0, state, OPTIONS, clock)
    search.think(clock.now() + 100)
    report = search.report()
    assert report.factors == "interdependent termination: 4 subgames"
    assert report.line == 100
    assert 4 <= report.planned < report.nodes
    other = next(move for move in machine.legal(state)[0] if move != search.best())
    state = machine.next(state, [other])
    search.advance([other], state)
    search.think(clock.now() + 100)
    assert search.best() in machine.legal(state)[0]
