"""The portfolio plays the best line that any of its solvers found, and ends no match for less than is known."""

from __future__ import annotations

import os
import signal

import pytest

from agent.gamemaster.games import bundled_game
from search import MonotonicClock, Search, SearchOptions
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.horizon_solver import HorizonSolver
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.portfolio import PuzzleSearch, plays, turns_of
from search.puzzle.solver import PuzzleSolver
from tests.search.puzzle.games import Walk, bits_of, machine_of

OPTIONS = SearchOptions(memory_mib=64, threads=1, seed=1)

LOCK = """
(role r) (init (at 0)) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7)
{keys}
(<= (legal r (turn ?d)) (digit ?d))
(<= (next (at ?j)) (true (at ?i)) (does r (turn ?d)) (key ?i ?d ?j))
(<= (next lost) (true (at ?i)) (does r (turn ?d)) (not (fits ?i ?d)))
(<= (fits ?i ?d) (key ?i ?d ?j))
(<= (next lost) (true lost))
(<= (next (turns ?j)) (true (turns ?i)) (then ?i ?j))
(init (turns 0)) {steps}
(<= terminal (true (turns {length})))
(<= (goal r 100) (true (at {length}))) (<= (goal r 0) (not (true (at {length}))))
"""
"""A lock of some digits, which random play does not open."""


def lock(length: int) -> str:
    keys = "".join(f"(key {i} {(5 * i + 3) % 8} {i + 1})" for i in range(length))
    return LOCK.format(keys=keys, steps="".join(f"(then {i} {i + 1})" for i in range(length)), length=length)


QUIT = """
(role r) (init (at 0)) (legal r quit) (side a) (side b)
(<= (legal r (go ?s)) (side ?s))
(<= (next (at ?j)) (true (at ?i)) (does r (go a)) (then ?i ?j))
(<= (next (at ?i)) (true (at ?i)) (does r (go b)))
(<= (next out) (does r quit))
(then 0 1) (then 1 2) (then 2 3)
(<= terminal (true out)) (<= terminal (true (at 3)))
(<= (goal r 0) (true out)) (<= (goal r 10) (true (at 3)))
(<= (goal r 0) (not (true out)) (not (true (at 3))))
"""
"""To quit is worth nothing; to go on is, a little."""


def searched(rules: str, seconds: float) -> tuple[Search, PuzzleSearch]:
    """A search that has thought by its solvers alone."""
    machine, clock = machine_of(rules), MonotonicClock()
    search = Search(machine, 0, machine.initial(), OPTIONS, clock)
    thinker = search._thinker
    assert isinstance(thinker, PuzzleSearch)
    thinker._tree.think = lambda *_: None  # type: ignore[method-assign]  # it must not find the line
    search.think(clock.now() + seconds)
    return search, thinker


def test_a_lock_is_opened_by_the_solvers_alone() -> None:
    search, thinker = searched(lock(14), 100)
    machine, state = thinker._machine, thinker._machine.initial()
    assert search.solved
    assert search.report().line == 100
    while not machine.terminal(state):
        move = search.best()
        state = machine.next(state, (move,))
        search.advance((move,), state)
    assert machine.goal(state) == (100,)


def test_nothing_is_left_running_when_the_game_is_solved() -> None:
    search, thinker = searched(lock(14), 100)
    assert search.solved
    assert thinker._solvers is None
    assert any("100 points in 14 moves" in text for text in search.report().solvers)


def test_without_solvers_the_tree_search_plays() -> None:
    machine = machine_of(QUIT)
    search = Search(machine, 0, machine.initial(), SearchOptions(solvers=False), MonotonicClock())
    assert not isinstance(search._thinker, PuzzleSearch)


def test_no_move_ends_the_match_for_nothing_while_others_do_not() -> None:
    machine = machine_of(QUIT)
    search = Search(machine, 0, machine.initial(), OPTIONS, MonotonicClock())
    thinker = search._thinker
    assert isinstance(thinker, PuzzleSearch)
    quits = next(term for term in machine.circuit.moves[0] if str(term) == "quit")
    assert thinker._not_the_end(quits) != quits
    assert str(search.best()) != "quit"


def test_solvers_that_are_killed_change_nothing_but_what_they_would_have_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(solver: OrderFreeSolver | HorizonSolver) -> None:
        if solver._solver is not None and not solver._solver.lost:
            os.kill(solver._solver._process.pid, signal.SIGKILL)

    for kind in (OrderFreeSolver, HorizonSolver):
        turn = kind.turn

        def mortal(self: OrderFreeSolver | HorizonSolver, beaten: int, turn=turn) -> object:
            found = turn(self, beaten)
            killed(self)
            return found

        monkeypatch.setattr(kind, "turn", mortal)
    search, _ = searched(lock(14), 100)
    assert search.best() in search._machine.legal(search._machine.initial())[0]
    assert search.solved  # breadth-first search is there, too


def test_a_line_that_does_not_go_as_told_is_not_taken() -> None:
    walk = Walk(((1, 0), (0, 2), (2, 2)), frozenset({2}), (0, 0, 100), 5)
    machine = machine_of(walk.rules)
    first, second = machine.circuit.moves[0]
    state = machine.initial()
    assert plays(machine, state, (first, second), 100)
    assert not plays(machine, state, (first, second), 50)
    assert not plays(machine, state, (first,), 0)
    assert not plays(machine, state, (first, second, first), 100)


@pytest.mark.parametrize("name", ["lightsOut", "eightPuzzle", "hanoi"])
def test_a_solved_game_is_played_in_as_few_moves_as_can_be(name: str) -> None:
    machine, clock = machine_of(bundled_game(name).text), MonotonicClock()
    states, fewest = BreadthFirst(machine, bits_of(machine), 64 * 2**20), None
    while fewest is None:
        fewest = states.turn(99)
    search, end = Search(machine, 0, machine.initial(), OPTIONS, clock), clock.now() + 60
    thinker = search._thinker
    assert isinstance(thinker, PuzzleSearch)
    while not thinker._shortened and clock.now() < end:
        search.think(end)
    state, moves = machine.initial(), 0
    while not machine.terminal(state):
        move = search.best()
        state, moves = machine.next(state, (move,)), moves + 1
        search.advance((move,), state)
    assert machine.goal(state) == (100,)
    assert moves == len(fewest.moves)


def test_a_better_end_that_is_known_elsewhere_goes_before_the_line_found_here(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(QUIT)
    search = Search(machine, 0, machine.initial(), OPTIONS, MonotonicClock())
    thinker = search._thinker
    assert isinstance(thinker, PuzzleSearch)
    terms = {str(term): term for term in machine.legal(machine.initial())[0]}
    thinker._line, thinker._value = (terms["(go b)"],), 5
    monkeypatch.setattr(type(thinker._tree), "known", property(lambda _: 0.0))
    assert search.best() == terms["(go b)"]
    monkeypatch.setattr(type(thinker._tree), "known_elsewhere", property(lambda _: 10.0))
    monkeypatch.setattr(thinker._tree, "best", lambda: terms["(go a)"])
    assert search.best() == terms["(go a)"]


class Idle(BreadthFirst):
    """A way of which the test says when it leads, and whether it waits."""

    def __init__(self, leads: float, alone: float) -> None:
        self.leads, self.alone = leads, alone


def test_a_way_that_leads_has_all_turns_until_it_waits_or_its_seconds_are_over() -> None:
    apart, together, goals, steps = every = Idle(2, 6), Idle(1, 3), Idle(0, 1), Idle(0, 0)
    ways: list[PuzzleSolver] = list(every)
    assert turns_of(ways, 0.5) == [apart]
    apart.waiting = True
    assert turns_of(ways, 0.5) == [apart, goals]  # the whole is not asked for beside its parts
    assert turns_of(ways, 2.5) == [apart, together]
    assert turns_of(ways, 7) == ways
    assert turns_of(ways[1:], 0.5) == [together]
    assert turns_of([steps], 0.5) == [steps]
