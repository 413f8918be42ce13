"""Puzzles within a puzzle are solved one after the other, whatever kind each is of, in N times what one takes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from agent.gamemaster.games import bundled_game
from reasoner.lanes.machine import CircuitMachine
from search import MonotonicClock, Search, SearchOptions
from search.factoring import factor
from search.puzzle.portfolio import PuzzleSearch
from search.puzzle.solver import Solution
from search.puzzle.subgame_solver import SubgameSolver
from search.subgames.restricted_circuit import residual
from search.subgames.split_detector import Split
from tests.search.compound import compounded
from tests.search.puzzle.compounds import best_end, compounds
from tests.search.puzzle.games import bits_of, machine_of, walked

MEMORY = 64 * 2**20
LATIN = """
(role slider) (size 1) (size 2) (size 3) (size 4) (init (blank 1 1)) (init (blank 1 2)) (init (blank 1 3))
(init (blank 1 4)) (init (blank 2 1)) (init (blank 2 2)) (init (blank 2 3)) (init (blank 2 4)) (init (blank 3 1))
(init (blank 3 2)) (init (blank 3 3)) (init (blank 4 1)) (init (blank 4 2)) (init (blank 4 4)) (init (holds 3 4 2))
(init (holds 4 3 3))
(<= (legal slider (put ?x ?y ?n)) (true (blank ?x ?y)) (size ?n) (not (row ?y ?n)) (not (column ?x ?n)))
(<= (row ?y ?n) (true (holds ?x ?y ?n))) (<= (column ?x ?n) (true (holds ?x ?y ?n)))
(<= (next (holds ?x ?y ?n)) (does slider (put ?x ?y ?n)))
(<= (next (holds ?x ?y ?n)) (true (holds ?x ?y ?n)) (does slider (put ?u ?v ?m)))
(<= (next (blank ?x ?y)) (true (blank ?x ?y)) (does slider (put ?u ?v ?n)) (distinct ?x ?u))
(<= (next (blank ?x ?y)) (true (blank ?x ?y)) (does slider (put ?u ?v ?n)) (distinct ?y ?v))
(<= unfilled (true (blank ?x ?y))) (<= terminal (not unfilled)) (<= (goal slider 100) (not unfilled))
(<= (goal slider 0) unfilled)
"""
"""A Latin square of four to be filled in, of which two cells are given."""


def slides(count: int, *, locked: bool = False) -> str:
    """Eight puzzles that share their clock, which leaves each its 24 steps."""
    text = bundled_game("eightPuzzle").text.replace("(step 24)", f"(step {24 * count})")
    ticks = "\n".join(f"(tick {step} {step + 1})" for step in range(24, 24 * count))
    return compounded([text + ticks] * count, ("step",), locked=locked)


def apart(machine: CircuitMachine) -> SubgameSolver:
    """The way from the initial state, without the rest of the search."""
    state, clock = machine.initial(), MonotonicClock()
    assert isinstance(state, bytes)
    part = residual(machine.circuit, state)
    split = Split(part, factor(part.circuit, clock, clock.now() + 60))
    return SubgameSolver(machine, split, bits_of(machine), MEMORY)


def turns_of(solver: SubgameSolver) -> tuple[Solution | None, int]:
    """What it finds, and in how many turns; it is closed in the end."""
    turns, found = 0, None
    while not solver.done and found is None:
        found = solver.turn(-1)
        turns += not solver.waiting
    solver.close()
    return found, turns


@pytest.mark.parametrize("locked", [False, True])
def test_each_puzzle_more_takes_as_many_turns_as_the_one_before(locked: bool) -> None:
    taken = []
    for count in (2, 3, 4):
        machine = machine_of(slides(count, locked=locked))
        found, turns = turns_of(apart(machine))
        assert found is not None
        state, _ = walked(machine, found.moves)
        assert machine.goal(state) == (100,)
        assert len(found.moves) == 12 * count
        taken.append(turns)
    assert taken[2] - taken[1] == pytest.approx(taken[1] - taken[0], abs=3)


def test_puzzles_of_different_kinds_are_each_solved_in_the_way_that_fits() -> None:
    eight = bundled_game("eightPuzzle").text.replace("(step 24)", "(step never)")
    machine = machine_of(compounded([LATIN, eight], ("step",)))
    found, _ = turns_of(apart(machine))
    assert found is not None
    assert found.value == 100
    assert len(found.moves) == 14 + 12
    walked(machine, found.moves)


def test_what_was_solved_is_not_solved_again_after_a_move() -> None:
    machine = machine_of(slides(2))
    solver = apart(machine)
    first, turns = None, 0
    while first is None:
        first = solver.turn(-1)
        turns += 1
    state, _ = walked(machine, first.moves[:1])
    assert isinstance(state, bytes)
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=machine.circuit.searched).astype(np.bool_)
    assert solver.advance(first.moves[0], bits)
    second, again = turns_of(solver)
    assert second is not None
    assert len(second.moves) == len(first.moves) - 1
    assert again < turns
    state, _ = walked(machine, (first.moves[0], *second.moves))
    assert machine.goal(state) == (100,)


@settings(max_examples=15, deadline=None)
@given(compounds())
def test_the_line_of_a_random_compound_game_is_as_good_as_the_best_of_all_its_ends(text: str) -> None:
    machine, clock = machine_of(text), MonotonicClock()
    state = machine.initial()
    search = Search(machine, 0, state, SearchOptions(memory_mib=64, threads=1, seed=1), clock)
    search.think(clock.now() + 100)
    assert search.solved
    best = best_end(machine)
    while not machine.terminal(state) and machine.legal(state)[0]:
        move = search.best()
        state = machine.next(state, (move,))
        search.advance((move,), state)
    assert (machine.goal(state)[0] or 0) == best


def test_where_moves_act_on_several_subgames_it_is_not_tried() -> None:
    machine = machine_of(bundled_game("jointButtons").text)
    solver = apart(machine)
    assert turns_of(solver)[0] is None
    assert "not a conjunction" in solver.progress


def test_the_portfolio_takes_it_up_as_soon_as_subgames_are_known() -> None:
    machine, clock = machine_of(slides(3)), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(memory_mib=64, threads=1, seed=1), clock)
    end = clock.now() + 60
    while not search.solved and clock.now() < end:
        search.think(end)
    assert isinstance(search._thinker, PuzzleSearch)
    assert search.report().line == 100
    assert any(text.startswith("apart") for text in search.report().solvers)


def test_it_leads_for_a_second_more_with_each_subgame_that_is_solved() -> None:
    machine = machine_of(slides(3))
    solver = apart(machine)
    assert solver.leads == 1
    while solver.turn(-1) is None:
        assert not solver.waiting  # there are always ways to go on with
    assert solver.leads == 3
    solver.close()


def test_a_subgame_in_which_order_does_not_matter_is_told_a_solver_before_other_ways_begin() -> None:
    solver = apart(machine_of(compounded([LATIN] * 2)))
    while not solver._solvers:
        solver.turn(-1)
    assert [way.name for way in solver._solvers] == ["without-order"]
    solver.close()
