"""Plans of compound games of one role."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings

import reasoner
from agent.gamemaster.games import find_game
from reasoner.lanes.machine import CircuitMachine
from search.clock import MonotonicClock
from search.factoring import factor
from search.options import SearchOptions
from search.subgames.plan import Planner
from tests.search.subgames.plan.compounds import best_end, compounds

SMALL = SearchOptions(memory_mib=64)


def machine_of(text: str) -> CircuitMachine:
    machine = reasoner.load(text, "circuit")
    assert isinstance(machine, CircuitMachine)
    return machine


def planner_of(machine: CircuitMachine) -> Planner:
    return Planner(machine, factor(machine.circuit), machine.initial(), SMALL, MonotonicClock())


def value_of(machine: CircuitMachine, plan) -> float:
    """What a plan is worth on the whole game; it must be legal, and end with its last move."""
    state = machine.initial()
    for move in plan:
        assert not machine.terminal(state)
        state = machine.next(state, (move,))
    assert machine.terminal(state) or not machine.legal(state)[0]
    return (machine.goal(state)[0] or 0) / 100


@settings(max_examples=30, deadline=None)
@given(compounds())
def test_the_plan_of_a_random_compound_game_is_as_good_as_the_best_of_all_its_ends(text):
    machine = machine_of(text)
    planner = planner_of(machine)
    planner.think(inf)
    assert planner.reason == ""
    assert planner.proven
    assert planner.value == best_end(machine) / 100 == value_of(machine, planner.plan)


@pytest.mark.parametrize(
    ("name", "value", "length"),
    [
        ("bestButtons", 1, 6),
        ("fusedButtons", 0.4, 6),
        ("multipleButtons", 1, 6),
        ("jointButtons", 1, 6),
        ("allButtons", 1, 24),
    ],
)
def test_the_bundled_games_are_planned_to_their_proven_best_ends(name, value, length):
    machine = machine_of(find_game(name).text)
    planner = planner_of(machine)
    planner.think(inf)
    assert (planner.value, planner.proven, len(planner.plan)) == (value, True, length)
    assert value_of(machine, planner.plan) == value
