"""Each solver finds ends that are so, and bounds that are so: held against slow twins on random games."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.gamemaster.games import bundled_game
from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.sat.solver import Answer, Verdict
from search.puzzle.beam import Way, behind
from search.puzzle.beam_solvers import Beam, PatternBeam
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.counters import counters_of
from search.puzzle.formula import Formula
from search.puzzle.horizon_solver import FIRST_SECONDS, HorizonSolver
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.solver import PuzzleSolver, Solution
from tests.search.puzzle.games import Filling, Walk, bits_of, fillings, machine_of, walked, walks

MEMORY = 64 * 2**20
FEW = settings(max_examples=12, deadline=None)


def carried_out(solver: PuzzleSolver, seconds: float = 60.0, turns: int = 1 << 30) -> Solution | None:
    """The best that an solver finds; it is closed in the end."""
    best, end = None, time.monotonic() + seconds
    while not solver.done and turns and time.monotonic() < end:
        turns -= 1
        best = solver.turn(best.value if best else -1) or best
        if solver.waiting:
            time.sleep(0.001)
    solver.close()
    return best


@FEW
@given(walks())
def test_breadth_first_search_finds_the_shortest_way_to_the_best_end_that_it_meets(walk: Walk) -> None:
    machine, (best, steps) = machine_of(walk.rules), walk.best()
    solver = BreadthFirst(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    value = found.value if found else -1
    if found is not None:
        state, _ = walked(machine, found.moves)
        assert machine.terminal(state)
        assert machine.goal(state) == (value,)
        assert len(found.moves) <= steps or value < best
    assert value <= best <= solver.bound


@FEW
@given(walks())
def test_horizons_find_the_best_end_in_as_few_steps_as_it_takes_and_prove_it(walk: Walk) -> None:
    machine, (best, steps) = machine_of(walk.rules), walk.best()
    solver = HorizonSolver(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert found is not None
    assert (found.value, len(found.moves)) == (best, steps)
    assert solver.bound == best


@FEW
@given(walks())
def test_a_beam_with_room_for_all_states_finds_the_best_end(walk: Walk) -> None:
    machine, (best, _) = machine_of(walk.rules), walk.best()
    solver = Beam(machine, bits_of(machine), MEMORY)
    found = carried_out(solver, turns=200)
    assert found is not None
    state, _ = walked(machine, found.moves)
    assert machine.terminal(state)
    assert machine.goal(state) == (found.value,)
    assert found.value == best


@FEW
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 5), st.randoms(use_true_random=False))
def test_of_a_beam_stays_what_began_with_the_moves_made(sizes: list[int], made: int, random: Random) -> None:
    ways, lines = list[Way](), list[tuple[int, ...]]([()])
    for size in sizes:
        pairs = random.sample([(place, move) for place in range(len(lines)) for move in range(3)], min(size, 3))
        ways.append((np.array([a for a, _ in pairs], np.int32), np.array([move for _, move in pairs], np.int32)))
        lines = [(*lines[place], move) for place, move in pairs]
    start = (*random.choice(lines), 0)[:made]
    left, kept = behind(ways, start)
    assert kept.tolist() == [line[:made] == start for line in lines]
    found: list[tuple[int, ...]] = [()] if kept.any() else []
    for origins, moves in left:
        found = [(*found[place], int(move)) for place, move in zip(origins.tolist(), moves, strict=True)]
    assert found == [line[made:] for line in lines if line[:made] == start]


@pytest.mark.parametrize("kind", [Beam, PatternBeam])
def test_a_beam_continues_after_a_move_and_keeps_its_width(kind: type[Beam], monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(bundled_game("eightPuzzle").text)
    line = found_line(machine, kind)
    solver = kind(machine, bits_of(machine), MEMORY)
    begun, beam = list[int](), solver._beam

    def counted(width: int, *given: object, **named: object) -> object:
        begun.append(width)
        return beam(width, *given, **named)

    monkeypatch.setattr(solver, "_beam", counted)
    found = None
    while found is None and not begun:
        found = solver.turn(-1)
    for _ in range(6):
        solver.turn(30)
    state, _ = walked(machine, line[:1])
    assert isinstance(state, bytes)
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=machine.circuit.searched).astype(np.bool_)
    assert solver.advance(line[0], bits)
    while found is None or found.value < 100:
        found = solver.turn(30) or found
    walked(machine, (line[0], *found.moves))
    assert begun == sorted(begun)


def found_line(machine: CircuitMachine, kind: type[Beam]) -> tuple[int, ...]:
    solver, found = kind(machine, bits_of(machine), MEMORY), None
    while found is None or found.value < 100:
        found = solver.turn(30) or found
    return found.moves


@FEW
@given(fillings())
def test_moves_without_order_are_plans_and_what_is_refused_cannot_be_had(game: Filling) -> None:
    machine, best = machine_of(game.rules), game.best()
    solver = OrderFreeSolver(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    if found is not None:
        state, _ = walked(machine, found.moves)
        assert machine.terminal(state)
        assert machine.goal(state) == (found.value,)
        assert found.value <= best
    assert best <= solver.bound


@FEW
@given(fillings())
def test_breadth_first_search_without_counters_proves_the_best_end(game: Filling) -> None:
    machine = machine_of(game.rules)
    solver = BreadthFirst(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert found is not None
    assert found.value == solver.bound == game.best()


def test_steps_are_counters_and_what_moves_change_is_not() -> None:
    machine = machine_of(Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 0, 100), 5).rules)
    found = counters_of(machine.circuit, bits_of(machine))
    names = [str(machine.circuit.bases[base]) for base in np.flatnonzero(~found.key)]
    assert names
    assert all(text.startswith("(step") for text in names)
    assert found.last == 5


def test_a_step_that_legality_reads_is_no_counter_and_what_counts_on_from_it_proves_nothing() -> None:
    walk = Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 0, 100), 5)
    late = "(<= (legal r wait) (true (step s3))) (<= (next (at ?n)) (true (at ?n)) (does r wait))"
    machine = machine_of(walk.rules + late)
    found = counters_of(machine.circuit, bits_of(machine))
    names = {str(machine.circuit.bases[base]) for base in np.flatnonzero(~found.key)}
    assert names == {"(step s4)", "(step s5)"}
    assert not found.steady


def test_a_last_step_after_which_no_move_is_legal_is_a_counter() -> None:
    walk = Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 0, 100), 5)
    locked = walk.rules.replace("(edge ?n ?m ?k))", "(edge ?n ?m ?k) (not (true (step s5))))", 1)
    machine = machine_of(locked)
    found = counters_of(machine.circuit, bits_of(machine))
    names = {str(machine.circuit.bases[base]) for base in np.flatnonzero(found.key)}
    assert not any("step" in text for text in names)
    assert found.last == 5


def test_breadth_first_search_that_has_no_room_ends_and_proves_nothing() -> None:
    machine = machine_of(Filling(6, frozenset(), frozenset(range(6)), frozenset({0}), frozenset({1})).rules)
    solver = BreadthFirst(machine, bits_of(machine), 4000)
    assert carried_out(solver) is None or not solver.complete
    assert solver.full
    assert solver.bound == 100


@pytest.mark.parametrize("kind", [OrderFreeSolver, HorizonSolver])
def test_a_solver_that_is_killed_ends_its_idea_and_nothing_else(kind: type[OrderFreeSolver | HorizonSolver]) -> None:
    machine = machine_of(Filling(4, frozenset(), frozenset(range(4)), frozenset(range(4)), frozenset({1})).rules)
    solver = kind(machine, bits_of(machine), MEMORY)
    while solver._solver is None:
        solver.turn(-1)
    solver._solver._process.kill()
    found = carried_out(solver)
    assert solver.done
    assert solver.bound == 100
    assert found is None or found.value == 100
    assert found is not None or "lost" in solver.progress


def test_horizons_continue_from_a_move_that_was_made() -> None:
    walk = Walk(((1, 2), (1, 3), (2, 4), (3, 3), (4, 4)), frozenset({3, 4}), (0, 0, 0, 50, 100), 6)
    machine = machine_of(walk.rules)
    solver = HorizonSolver(machine, bits_of(machine), MEMORY)
    while solver._game is None or not solver._game.steps:
        solver.turn(-1)
    first = next(m for m, term in enumerate(machine.circuit.moves[0]) if str(term) == "m0")
    assert solver.advance(first, bits_of(machine))
    found = carried_out(solver)
    assert found is not None
    assert found.value == 50
    walked(machine, (first, *found.moves))


SOON = Walk(((1, 2), (5, 3), (5, 4), (3, 3), (4, 4), (5, 5)), frozenset({3, 4}), (0, 0, 0, 50, 100, 0), 6)
"""Both ends can only be reached in two steps."""


class Hasty(HorizonSolver):
    """Has no time for a question that is asked for the first time."""

    def _asked(self, formula: Formula, literal: int, seconds: float) -> Generator[None, None, Answer]:
        if seconds > FIRST_SECONDS:
            return (yield from super()._asked(formula, literal, seconds))
        return Answer(Verdict.UNKNOWN, ())


@FEW
@given(walks())
@example(SOON)
def test_questions_that_are_asked_again_are_answered_as_if_there_had_been_time(walk: Walk) -> None:
    """They were refuted: the formula said that the game is not over before the steps that were added meanwhile."""
    machine, (best, _) = machine_of(walk.rules), walk.best()
    solver = Hasty(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert found is not None
    assert found.value == solver.bound == best


def test_horizons_know_what_is_left_if_the_match_leaves_the_best_line() -> None:
    """Ends that were no improvement were forgotten, and the bound after another move was too low."""
    machine = machine_of(SOON.rules)
    solver = HorizonSolver(machine, bits_of(machine), MEMORY)
    while solver._game is None or solver._game.steps < 3:
        solver.turn(100)
    other = next(m for m, term in enumerate(machine.circuit.moves[0]) if str(term) == "m0")
    assert solver.advance(other, bits_of(machine))
    found = carried_out(solver)
    assert found is not None
    assert found.value == solver.bound == 50


def test_horizons_that_cannot_look_at_all_steps_end_with_what_they_have_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is proven then; the questions that are no improvement are not asked for ever."""
    walk = Walk(((1, 0), (1, 2), (2, 2)), frozenset({2}), (0, 0, 50), 9)
    machine = machine_of(walk.rules)
    monkeypatch.setattr("search.puzzle.unrolling.MAX_INPUTS", 4 * len(machine.circuit.legal))
    solver = HorizonSolver(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert solver.done
    assert found is not None
    assert (found.value, solver.bound) == (50, 100)


DEAD_END = """
(role r) (init (step 0)) (then 0 1) (then 1 2) (then 2 3) (cell c1) (cell c2) (cell c3) (cell c4)
(<= (legal r (mark ?c)) (cell ?c) (not (true (marked ?c))) (not (true (marked c4))))
(<= (next (step ?y)) (true (step ?x)) (then ?x ?y))
(<= (next (marked ?c)) (does r (mark ?c))) (<= (next (marked ?c)) (true (marked ?c)))
(<= terminal (true (step 3)))
(<= (goal r 100) (true (marked c4)) (not (true (step 3)))) (<= (goal r 20) (true (marked c4)) (true (step 3)))
(<= (goal r 50) (not (true (marked c4))))
"""
"""No move is legal once the fourth cell is marked; before the last step this is an end that the clock does not give."""


@pytest.mark.parametrize("kind", [HorizonSolver, OrderFreeSolver])
def test_an_end_by_lack_of_legal_moves_is_not_refuted(kind: type[HorizonSolver | OrderFreeSolver]) -> None:
    machine = machine_of(DEAD_END)
    solver = kind(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert solver.bound == 100
    assert found is not None
    assert found.value == (100 if kind is HorizonSolver else 50)


class Recording(Hasty):
    """Notes the numbers of steps of its questions."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self.asked: list[int] = []

    def _ask(self, steps: int, value: int, seconds: float) -> Iterator[None]:
        self.asked.append(steps)
        return super()._ask(steps, value, seconds)


def test_questions_about_positions_without_legal_moves_come_after_the_repeated_others() -> None:
    """In most games they are many, and find nothing."""
    machine = machine_of(DEAD_END)
    solver = Recording(machine, bits_of(machine), MEMORY)
    found = carried_out(solver)
    assert solver.asked[:4] == [3, 3, 3, 3]
    assert 0 < min(solver.asked) < 3
    assert found is not None
    assert found.value == solver.bound == 100
