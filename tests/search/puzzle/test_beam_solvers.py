"""Patterns estimate the distance to a goal, and beams that follow them find it."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import numpy as np
import pytest

from agent.gamemaster.games import bundled_game
from reasoner.lanes.machine import CircuitMachine
from search.native.tree import pack
from search.puzzle.beam import BeamSearch
from search.puzzle.beam_solvers import GoalBeam, PatternBeam
from search.puzzle.counters import counters_of
from search.puzzle.horizon_solver import HorizonSolver
from search.puzzle.patterns import closed_sets, goal_of, patterns
from search.puzzle.projection import UNKNOWN_DISTANCE, Pattern, add_distances
from search.puzzle.solver import Solution
from tests.search.puzzle.games import Walk, bits_of, machine_of, walked

MEMORY = 64 * 2**20
Result = TypeVar("Result")

DIALS = """
(role r) (dial a) (dial b) (dial c) (place 0) (place 1) (place 2) (place 3) (place 4) (init (step s0))
(init (at a 2)) (init (at b 3)) (init (at c 4)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 0)
(then s0 s1) (then s1 s2) (then s2 s3) (then s3 s4) (then s4 s5) (then s5 s6) (then s6 s7)
(<= (legal r (turn ?d)) (dial ?d)) (<= (legal r wait))
(<= (next (at ?d ?q)) (true (at ?d ?p)) (does r (turn ?d)) (after ?p ?q))
(<= (next (at ?d ?p)) (true (at ?d ?p)) (not (does r (turn ?d))))
(<= (next (step ?t)) (true (step ?s)) (then ?s ?t))
(<= won (true (at a 0)) (true (at b 0)) (true (at c 0)))
(<= terminal won) (<= terminal (true (step s7)))
(<= (goal r 100) won) (<= (goal r 0) (not won))
"""
"""Three dials of five places, turned one by one and one way; all at 0 wins, which is six turns away."""


def result(made: Generator[None, None, Result]) -> Result:
    """What a generator returns."""
    while True:
        try:
            next(made)
        except StopIteration as end:
            value: Result = end.value
            return value


def patterns_in(machine: CircuitMachine, most: int) -> list[Pattern]:
    key = counters_of(machine.circuit, bits_of(machine)).key
    return result(patterns(machine, bits_of(machine), key, most))


def found_by(solver: BeamSearch, turns: int = 3000) -> Solution | None:
    best = None
    while not solver.done and turns and not (best and best.value == 100):
        turns -= 1
        best = solver.turn(best.value if best else -1) or best
    return best


def test_a_closed_set_is_a_fact_of_the_goal_with_all_that_it_hangs_on() -> None:
    circuit = machine_of(DIALS).circuit
    key = counters_of(circuit, circuit.initial[: circuit.searched]).key
    sets = closed_sets(circuit, key, goal_of(circuit).required)
    assert {frozenset(str(circuit.bases[base]) for base in np.flatnonzero(own)) for own in sets} == {
        frozenset(f"(at {dial} {place})" for place in range(5)) for dial in "abc"
    }


@pytest.mark.parametrize(("most", "count", "states"), [(10, 3, 5), (60, 2, 25), (500, 1, 125)])
def test_distances_are_those_of_each_dial_and_sets_are_joined_while_there_is_room(
    most: int, count: int, states: int
) -> None:
    machine = machine_of(DIALS)
    found = patterns_in(machine, most)
    assert len(found) == count
    assert len(found[0].distance) == states
    total = np.zeros(1, np.int32)
    for each in found:
        add_distances(pack(bits_of(machine).astype(np.uint8))[None, :], 1, each.space, each.distance, total)
    assert total == 6


def test_what_was_not_met_is_far() -> None:
    machine = machine_of(DIALS)
    total = np.zeros(1, np.int32)
    (each,) = patterns_in(machine, 500)
    add_distances(np.zeros((1, each.space.states.shape[1]), np.uint64), 1, each.space, each.distance, total)
    assert total == UNKNOWN_DISTANCE


@pytest.mark.parametrize("name", ["eightPuzzle", "lightsOut"])
def test_beams_by_patterns_solve_what_many_facts_make_up(name: str) -> None:
    machine = machine_of(bundled_game(name).text)
    found = found_by(PatternBeam(machine, bits_of(machine), MEMORY))
    assert found is not None
    state, _ = walked(machine, found.moves)
    assert machine.terminal(state)
    assert machine.goal(state) == (found.value,) == (100,)


SHIFTED = """
(role r) (succ 1 2) (succ 2 3) (succ 3 4) (index 1) (index 2) (index 3) (index 4)
{facts}
(<= (beside ?a ?b) (succ ?a ?b)) (<= (beside ?a ?b) (succ ?b ?a))
(<= (adjacent ?a ?y ?b ?y) (beside ?a ?b) (index ?y)) (<= (adjacent ?x ?a ?x ?b) (index ?x) (beside ?a ?b))
(<= (legal r (slide ?x ?y)) (true (cell ?u ?v gap)) (adjacent ?x ?y ?u ?v))
(<= (next (cell ?x ?y gap)) (does r (slide ?x ?y)))
(<= (next (cell ?u ?v ?t)) (does r (slide ?x ?y)) (true (cell ?x ?y ?t)) (true (cell ?u ?v gap)))
(<= (next (cell ?u ?v ?t)) (does r (slide ?x ?y)) (true (cell ?u ?v ?t)) (distinct ?t gap) (distinct ?u ?x))
(<= (next (cell ?u ?v ?t)) (does r (slide ?x ?y)) (true (cell ?u ?v ?t)) (distinct ?t gap) (distinct ?v ?y))
(<= wrong (home ?x ?y ?t) (not (true (cell ?x ?y ?t))))
(<= terminal (not wrong)) (<= (goal r 100) (not wrong)) (<= (goal r 0) wrong)
"""
"""A sliding puzzle of fifteen tiles, in which everything hangs on the gap."""


def shifted(moves: str) -> str:
    """It, after moves of the gap from the solution: u, d, l and r."""
    at, order = 15, [*map(str, range(1, 16)), "gap"]
    for move in moves:
        to = at + {"u": -4, "d": 4, "l": -1, "r": 1}[move]
        order[at], order[to], at = order[to], order[at], to
    home = [*map(str, range(1, 16)), "gap"]
    places = [(cell % 4 + 1, cell // 4 + 1) for cell in range(16)]
    facts = [f"(init (cell {x} {y} {tile}))" for (x, y), tile in zip(places, order, strict=True)]
    facts += [f"(home {x} {y} {tile})" for (x, y), tile in zip(places, home, strict=True)]
    return SHIFTED.format(facts=" ".join(facts))


def test_what_hangs_together_is_solved_by_counting_the_facts_of_the_goal() -> None:
    machine = machine_of(shifted("ulldruurdlulddrurulldrdruuldlurdruldldrruulldrrd"))
    assert found_by(PatternBeam(machine, bits_of(machine), MEMORY), 200) is None
    found = found_by(GoalBeam(machine, bits_of(machine), MEMORY))
    assert found is not None
    state, _ = walked(machine, found.moves)
    assert machine.terminal(state)
    assert machine.goal(state) == (100,)


def test_where_the_goal_tells_of_no_facts_there_is_nothing_to_count() -> None:
    machine = machine_of(Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 100, 100), 5).rules)
    solver = GoalBeam(machine, bits_of(machine), MEMORY)
    assert found_by(solver) is None
    assert solver.done


def test_patterns_are_kept_when_a_move_was_made() -> None:
    machine = machine_of(DIALS)
    solver = PatternBeam(machine, bits_of(machine), MEMORY)
    while not solver._patterns:
        solver.turn(-1)
    before, first = solver._patterns, machine.circuit.moves[0]
    state = machine.next(machine.initial(), (first[0],))
    assert isinstance(state, bytes)
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=machine.circuit.searched).astype(np.bool_)
    assert solver.advance(0, bits)
    found = found_by(solver)
    assert found is not None
    assert solver._patterns is before
    walked(machine, (0, *found.moves))


def test_where_everything_hangs_together_there_are_no_patterns_and_the_method_ends() -> None:
    machine = machine_of(Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 0, 100), 5).rules)
    solver = PatternBeam(machine, bits_of(machine), MEMORY)
    assert found_by(solver, 50) is None
    assert solver.done
    assert solver.advance(0, bits_of(machine))


@pytest.mark.parametrize("memory", [0, 4096])
def test_without_memory_for_what_patterns_can_be_there_are_none(memory: int) -> None:
    machine = machine_of(DIALS)
    solver = PatternBeam(machine, bits_of(machine), memory)
    assert found_by(solver) is None
    assert solver.progress == "no patterns"


def test_turns_are_had_alone_until_patterns_turn_out_to_be_small() -> None:
    machine = machine_of(DIALS)
    solver = PatternBeam(machine, bits_of(machine), MEMORY)
    assert solver.alone > HorizonSolver.alone
    while not solver._patterns:
        solver.turn(-1)
    solver.turn(-1)
    assert solver.alone == HorizonSolver.alone == 0
