"""Plans of compound games of one role."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings

from agent.gamemaster.games import find_game
from reasoner.lanes.machine import CircuitMachine
from search.clock import MonotonicClock
from search.factoring import Factoring, factor
from search.options import SearchOptions
from search.subgames.plan import Planner, planner
from tests.search.subgames.games import compiled
from tests.search.subgames.plan.compounds import best_end, compounds
from tests.search.subgames.plan.games import machine_of
from tests.shared import needs_shared


def all_buttons(groups: int) -> str:
    """The bundled game of four groups with another number of groups, and two steps more than they need."""
    text = find_game("allButtons").text.replace("(true (step 26))", f"(true (step {6 * groups + 2}))")
    more = [f"(group {group})" for group in range(5, groups + 1)]
    return text + "\n".join(more + [f"(tick {step} {step + 1})" for step in range(26, 6 * groups + 2)])


SMALL = SearchOptions(memory_mib=64)

SERIES = """
(role robot)
(init (at 1 0)) (init (at 2 0))
(next_of 0 1) (next_of 1 2) (next_of 2 3)
(way on) (way back)
(<= (legal robot ?way) (way ?way))
(<= over1 (true (at 1 3)))
(<= (moves 1) (not over1))
(<= (moves 2) over1)
(<= (next (at ?i ?n)) (moves ?i) (does robot on) (true (at ?i ?m)) (next_of ?m ?n))
(<= (next (at ?i ?m)) (moves ?i) (does robot back) (true (at ?i ?n)) (next_of ?m ?n))
(<= (next (at ?i 0)) (moves ?i) (does robot back) (true (at ?i 0)))
(<= (next (at 1 ?n)) (true (at 1 ?n)) over1)
(<= (next (at 2 ?n)) (true (at 2 ?n)) (not over1))
(<= terminal (true (at 2 3)))
(<= (goal robot 100) (true (at 1 3)) (true (at 2 3)))
(<= (goal robot 0) (not (true (at 2 3))))
"""


def planner_of(machine: CircuitMachine, factoring: Factoring | None = None) -> Planner:
    return Planner(machine, factoring or factor(machine.circuit), machine.initial(), SMALL, MonotonicClock())


def value_of(machine: CircuitMachine, plan) -> float:
    """What a plan is worth on the whole game; it must be legal, and end with its last move."""
    state = machine.initial()
    for move in plan:
        assert not machine.terminal(state)
        state = machine.next(state, (move,))
    assert machine.terminal(state) or not machine.legal(state)[0]
    return (machine.goal(state)[0] or 0) / 100


@settings(max_examples=40, deadline=None)
@given(compounds())
def test_the_plan_of_a_random_compound_game_is_as_good_as_the_best_of_all_its_ends(text):
    machine = machine_of(text)
    found = planner_of(machine)
    found.think(inf)
    assert found.reason == ""
    assert found.proven
    assert found.value == best_end(machine) / 100 == value_of(machine, found.plan)


@settings(max_examples=10, deadline=None)
@given(compounds())
def test_a_game_explored_in_part_is_never_proven_better_or_worse_than_it_is(text):
    machine = machine_of(text)
    before, planner.ROUNDS = planner.ROUNDS, (2, 3)
    try:
        found = planner_of(machine)
        found.think(inf)
    finally:
        planner.ROUNDS = before
    best = best_end(machine) / 100
    assert found.value <= best
    assert not found.proven or found.value == best


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
    found = planner_of(machine)
    found.think(inf)
    assert (found.value, found.proven, len(found.plan)) == (value, True, length)
    assert value_of(machine, found.plan) == value


def test_independent_copies_are_walked_straight():
    machine = machine_of(all_buttons(6))
    found = planner_of(machine)
    found.think(inf)
    assert (found.value, found.proven, len(found.plan), found.states) == (1, True, 36, 48)
    assert found.simulations == 36 * len(machine.circuit.legal)


def test_of_games_in_series_the_second_begins_where_the_first_ends():
    machine = machine_of(SERIES)
    factoring = factor(machine.circuit)
    found = planner_of(machine, factoring)
    found.think(inf)
    assert len(factoring.gates) == 1
    assert (found.value, found.proven, list(map(str, found.plan))) == (1, True, ["on"] * 6)


def test_a_plan_that_is_followed_is_kept_and_another_move_is_planned_on_from():
    machine = machine_of(find_game("jointButtons").text)
    found = planner_of(machine)
    found.think(inf)
    first, second = found.plan[:2]
    state = machine.next(machine.initial(), (first,))
    found.advance(first, state)
    assert (found.value, found.proven, len(found.plan)) == (1, True, 5)
    other = next(move for move in machine.legal(state)[0] if move != second)
    state = machine.next(state, (other,))
    found.advance(other, state)
    assert (found.value, found.proven) == (-1, False)
    found.think(inf)
    again = planner_of(machine)
    again.advance(first, state)
    again.think(inf)
    assert found.proven
    assert found.value == again.value


def test_it_comes_back_when_it_is_told_to_and_goes_on_where_it_was():
    machine = machine_of(find_game("allButtons").text)
    found = planner_of(machine)
    looks = 0
    while not found.done:
        looks += 1
        found.think(inf, iter((False, True)).__next__)
    assert looks > 5
    assert (found.value, found.proven) == (1, True)


def test_subgames_that_do_not_make_the_whole_are_told_and_not_planned_with():
    machine = machine_of(find_game("jointButtons").text)
    factoring = factor(machine.circuit)
    one, *others = factoring.subgames
    ((first, second, third),) = one.classes
    mixed = (first[:1] + second[1:], second[:1] + first[1:], third)
    found = planner_of(machine, replace(factoring, subgames=(replace(one, classes=(mixed,)), *others)))
    found.think(inf)
    assert (found.value, found.plan, found.proven) == (-1, (), False)
    assert "not legal" in found.reason or "not 100" in found.reason


@needs_shared
def test_a_plan_for_all_points_is_proven_by_what_was_explored_of_its_subgames():
    """Nothing is better than the most that the rules give; what is told of it is a plain truth value, fit for JSON."""
    found = planner_of(compiled("asteroidsParallel"))
    found.think(inf)
    assert found._preparation is not None
    assert not found._preparation.complete
    assert (found.value, found.proven) == (1, True)
    assert isinstance(found.proven, bool)
