"""The solver finds the values that an exhaustive search finds, and refuses games that it cannot solve."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.cli.moves import state_after
from agent.gamemaster.games import bundled_game
from reasoner.kernels import kernel
from search.errors import StorageError, UnsolvableError
from search.solver import Solver
from search.solver.expansion import children_of
from search.solver.proof_numbers import look_up
from search.solver.proof_table import INFINITE, new_table
from search.solver.solver import HORIZON
from search.solver.solver_thread import Method
from search.solver.strategy import best_line
from tests.clocks import FakeClock
from tests.machines import built
from tests.search.solver.games import Duel, duels

SMALL = {"memory_mib": 1}


def solved(rules: str, **options: object) -> Solver:
    solver = Solver(built(rules), **{**SMALL, **options})
    assert solver.run(60)
    return solver


@given(duels())
@settings(max_examples=40, deadline=None)
def test_the_score_is_that_of_an_exhaustive_search(duel: Duel):
    assert solved(duel.rules).low == duel.value()


@contextmanager
def only(method: Method) -> Iterator[None]:
    """Let solvers use one method only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("search.solver.solver.methods_of", lambda *_: [method])
        yield


@pytest.mark.parametrize("method", Method)
@given(duels(fewest=1))
@settings(max_examples=20, deadline=None)
def test_each_method_alone_finds_score_and_distance_of_an_exhaustive_search(method: Method, duel: Duel):
    with only(method):
        solver = solved(duel.rules)
        assert solver.low == duel.value()
        if solver.winner is not None:
            assert shortest(solver).distance[0] == duel.distance()


@pytest.mark.parametrize("method", Method)
def test_an_interrupted_search_continues_where_it_stopped(method: Method):
    with only(method):
        machine = built(bundled_game("connectFour").text)
        state = state_after(machine, [f"(drop {column})" for column in "361351112176613456"])
        whole, parts = (Solver(machine, state, playouts=False, **SMALL) for _ in range(2))
        assert whole.run(60)
        while not parts.run(60, stop=lambda: True):
            pass
        assert parts.low == whole.low
        assert parts.expansions == whole.expansions > 100


@kernel
def looked_up(table, children, numbers):
    look_up(table, children, numbers, 0, 100)


def test_the_numbers_of_a_position_with_very_many_moves_fit_into_the_table():
    children, numbers = children_of(1, 1, 1), np.zeros((1, 2), np.int64)
    children.bounds[0], children.counts[0] = (0, 100), (1 << 20, 1 << 20)
    looked_up(new_table(1), children, numbers)
    assert numbers.tolist() == [[INFINITE - 1, INFINITE - 1]]


ENDLESS = """
(role a) (role b) (init (at s0)) (init (wheel 0)) (turn 0 1) (turn 1 0) (after s0 s1) (after s1 s2)
(legal a go) (legal a loop) (legal b noop)
(<= (next (at ?y)) (true (at ?x)) (does a go) (after ?x ?y))
(<= (next (at ?x)) (true (at ?x)) (does a loop))
(<= (next (wheel ?y)) (true (wheel ?x)) (turn ?x ?y))
(<= terminal (true (at s2)))
(<= (goal a 100) (true (at s2))) (<= (goal b 0) (true (at s2)))
(<= (goal a 0) (not (true (at s2)))) (<= (goal b 100) (not (true (at s2))))
"""


def test_alpha_beta_gives_way_to_proof_numbers_where_positions_repeat():
    with only(Method.ALPHA_BETA):
        assert solved(ENDLESS).low == 100


def test_an_alpha_beta_search_that_is_stopped_says_nothing():
    with only(Method.ALPHA_BETA):
        solver = Solver(built(NIM), **SMALL)
        assert not solver.run(0)
        assert (solver.low, solver.high) == (0, 100)


@given(duels())
@settings(max_examples=10, deadline=None)
def test_two_threads_find_the_same_score(duel: Duel):
    assert solved(duel.rules, threads=2).low == duel.value()


def shortest(solver: Solver) -> Solver:
    """Find the distance to the win of a solved position."""
    hurrying = solver.hurrying()
    assert hurrying.run(60)
    return hurrying


def win_of(duel: Duel) -> tuple[int, int] | None:
    """The role that gets more than half in a game with a counter, and its goal if no end gives it more."""
    value, ends = duel.value(), duel.goals_of_ends()
    if value > 50:
        return (0, value) if value == max(ends) else None
    return (1, 100 - value) if value == min(ends) and value < 50 else None


@given(duels(fewest=1))
@settings(max_examples=40, deadline=None)
@example(Duel(((0, 0), (0, 1, 0), (0, 1)), (0, 0, 0), frozenset({1, 2}), (25, 0, 72), 3))  # all ends have one goal
@example(Duel(((4, 0), (3, 0), (1, 1), (1, 0, 3), (1, 1)), (0, 1, 1, 1, 1), frozenset({4}), (40, 100, 0, 50, 40), 6))
def test_the_distance_to_a_win_is_that_of_an_exhaustive_search(duel: Duel):
    solver, won = solved(duel.rules), win_of(duel)
    if solver.winner is not None:
        assert won is not None
        steps = duel.steps_to_force(*won)
        assert steps == duel.distance()
        assert shortest(solver).distance == (steps, steps)
    elif won is not None:  # all ends give one goal, or the rules name a higher one that no end gives
        named = [worth if won[0] == 0 else 100 - worth for worth in duel.worth]
        assert len(duel.goals_of_ends()) == 1 or won[1] < max(named)


@given(duels(fewest=1, counted=False), st.integers(0, 1))
@settings(max_examples=30, deadline=None)
def test_the_bounds_of_the_distance_hold_where_positions_repeat(duel: Duel, role: int):
    solver = Solver(built(duel.rules), **SMALL)
    solver.low = solver.high = (solver.lowest, solver.highest)[role == 0]
    if solver.winner is not None:
        hurrying, calls = solver.hurrying(), count()
        hurrying.run(60, stop=lambda: next(calls) > 50)  # in a graph with cycles, a search may be very long
        steps = duel.steps_to_force(role, hurrying.highest_goal)
        least, most = hurrying.distance
        assert least <= (HORIZON if steps is None else steps) <= most


@given(duels())
@settings(max_examples=20, deadline=None)
def test_a_line_of_best_play_is_as_long_as_the_distance(duel: Duel):
    solver = solved(duel.rules)
    if solver.winner is not None:
        hurrying = shortest(solver)
        assert len(best_line(hurrying, 100)) == hurrying.distance[0]


@given(duels())
@settings(max_examples=10, deadline=None)
def test_two_threads_find_the_same_distance(duel: Duel):
    solver = solved(duel.rules, threads=2)
    if solver.winner is not None:
        assert shortest(solver).distance[0] == duel.distance()


def test_sizes_may_be_integers_of_numpy():
    assert not Solver(built(NIM), memory_mib=np.int64(2), threads=np.int64(1)).solved
    with pytest.raises(TypeError, match="integer"):
        Solver(built(NIM), memory_mib=2.5)


def test_the_distance_is_found_while_the_table_loses_entries(monkeypatch):
    """The table has 1,024 entries."""
    monkeypatch.setattr("search.solver.growing_table.entries_in", lambda _: 1_024)
    machine = built(bundled_game("ticTacToe").text)
    forced = ["(mark 2 2)", "(mark 1 2)"]  # an answer on a side loses
    state = state_after(machine, forced)
    solver = Solver(machine, state)
    assert solver.run(60)
    assert shortest(solver).distance == (5, 5)


EMPTY = """
(role a) (role b) (init p) (legal a x) (legal a y) (legal b noop)
(<= (next s) (not (true p)) (not (true s)))
(<= (next w) (true s) (does a x)) (<= (next l) (true s) (does a y))
(<= terminal (true w)) (<= terminal (true l))
(<= (goal a 100) (true w)) (<= (goal b 0) (true w)) (<= (goal a 0) (true l)) (<= (goal b 100) (true l))
"""


def test_the_value_of_a_position_without_facts_is_not_taken_for_its_distance():
    """The hash of such a position is that of no fact, and both searches use one table."""
    assert shortest(solved(EMPTY)).distance == (3, 3)


def test_a_position_that_is_won_has_distance_0():
    machine = built(NIM)
    solver = Solver(machine, machine.state(["(heap 0)", "(control b)"]), **SMALL)
    assert solver.winner == 0
    assert shortest(solver).distance == (0, 0)


NIM = (
    """
(role a) (role b) (init (control a)) (init (heap 7))
(take 1) (take 2) (take 3) (other a b) (other b a)
"""
    + "\n".join(f"(less {n} {k} {n - k})" for n in range(8) for k in (1, 2, 3) if n >= k)
    + """
(<= (legal ?r (take ?k)) (true (control ?r)) (true (heap ?n)) (less ?n ?k ?m))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (heap ?m)) (true (heap ?n)) (does ?r (take ?k)) (less ?n ?k ?m))
(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
(<= terminal (true (heap 0)))
(<= (goal ?r 100) (true (heap 0)) (not (true (control ?r))) (role ?r))
(<= (goal ?r 0) (true (control ?r)))
(<= (goal ?r 0) (role ?r) (not (true (heap 0))) (not (true (control ?r))))
"""
)


@pytest.mark.parametrize("heap", range(1, 8))
def test_nim_is_lost_with_a_multiple_of_four(heap: int):
    rules = NIM.replace("(init (heap 7))", f"(init (heap {heap}))")
    assert solved(rules).low == (0 if heap % 4 == 0 else 100)


ENDS = """
(role a) (role b) (init (s 0)) (then 0 1) (then 1 2) (then 2 3)
(<= (legal a x) (true (s ?n))) (<= (legal a y) (true (s ?n))) (<= (legal b noop) (true (s ?n)))
(<= (next (s ?m)) (true (s ?n)) (then ?n ?m)) (<= (next p) (does a x)) (<= (next q) (does a y)) (<= terminal END)
(<= (goal a 100) (true p)) (<= (goal b 0) (true p)) (<= (goal a 0) (not (true p))) (<= (goal b 100) (not (true p)))
"""


def test_the_table_of_a_game_with_another_end_is_refused(tmp_path):
    file = tmp_path / "table"
    solved(ENDS.replace("END", "(true (s 2))"), file=file)
    with pytest.raises(StorageError, match="another game"):
        solved(ENDS.replace("END", "(true (s 3))"), file=file)


WITHOUT_GOALS = """
(role a) (role b) (init p) (legal a x) (legal a y) (legal b x) (<= (next q) (does a x)) (<= (next z) (does a y))
(<= terminal (true p)) (<= terminal (true q)) (<= terminal (true z))
(<= (goal a 100) (true q)) (<= (goal b 0) (true q)) (<= (goal a 0) (true z)) (<= (goal b 100) (true z))
"""


def test_a_game_that_is_over_without_opposed_goals_is_refused():
    with pytest.raises(UnsolvableError, match="different sums"):
        Solver(built(WITHOUT_GOALS), **SMALL)


def test_a_role_without_a_move_ends_the_game():
    rules = WITHOUT_GOALS.replace("(legal b x)", "(<= (legal b x) (true z))").replace("(<= terminal (true p))", "")
    rules += "(<= (goal a 100) (true p)) (<= (goal b 0) (true p))"
    assert solved(rules).low == 100


def test_a_given_position_is_solved():
    machine = built(NIM)
    solver = Solver(machine, machine.state(["(heap 4)", "(control b)"]), **SMALL)
    assert solver.run(60)
    assert solver.goals(solver.low) == (100, 0)


def test_a_finished_game_has_its_goals():
    machine = built(NIM)
    solver = Solver(machine, machine.state(["(heap 0)", "(control b)"]), **SMALL)
    assert solver.solved
    assert solver.goals(solver.low) == (100, 0)


def test_a_later_solver_continues_with_the_table_in_a_file(tmp_path):
    first = solved(NIM, file=tmp_path / "table")
    again = solved(NIM, file=tmp_path / "table")
    assert again.low == first.low
    assert again.expansions < first.expansions


def test_a_table_that_does_not_fit_on_the_disk_is_not_begun(tmp_path, monkeypatch):
    """To write into a hole of a file on a full disk kills the process (SIGBUS)."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 20))
    with pytest.raises(StorageError, match="may need 2 MiB and its disk has 1"):
        Solver(built(NIM), file=tmp_path / "table", memory_mib=2)
    assert not (tmp_path / "table").exists()


def test_a_table_in_a_file_has_its_room_before_it_is_written(tmp_path, monkeypatch):
    """Other programs may fill the disk during the search."""
    reserve, reserved = getattr(os, "posix_fallocate", lambda *_: None), []

    def noted(file, start, length):
        reserve(file, start, length)
        reserved.append((start, length))

    monkeypatch.setattr("os.posix_fallocate", noted, raising=False)
    solver = Solver(built(NIM), file=tmp_path / "table", memory_mib=2)
    size = (tmp_path / "table").stat().st_size
    assert size > 1 << 20
    assert reserved == [(0, size)]
    del solver

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(StorageError, match="is full; make room"):
        Solver(built(NIM), file=tmp_path / "table", memory_mib=2)


def test_a_table_that_another_process_creates_at_the_same_time_is_shared(tmp_path, monkeypatch):
    first = solved(NIM, file=tmp_path / "table")
    monkeypatch.setattr("pathlib.Path.exists", lambda _: False)
    monkeypatch.setattr("search.solver.proof_table._check_room", lambda *_: None)
    assert solved(NIM, file=tmp_path / "table").expansions < first.expansions


def test_no_other_file_becomes_a_table(tmp_path):
    (tmp_path / "letter").write_text("dear reader")
    with pytest.raises(StorageError, match="not a table of positions"):
        Solver(built(NIM), file=tmp_path / "letter", **SMALL)
    assert (tmp_path / "letter").read_text() == "dear reader"
    os.mkfifo(tmp_path / "pipe")  # the opening of which would wait
    with pytest.raises(StorageError, match="not a table of positions"):
        Solver(built(NIM), file=tmp_path / "pipe", **SMALL)
    solved(NIM, file=tmp_path / "table")
    with pytest.raises(StorageError, match="another game"):
        Solver(built(TOGETHER), file=tmp_path / "table", **SMALL)
    older = (tmp_path / "table").read_bytes().replace(b"positions 2 ", b"positions 1 ", 1)
    (tmp_path / "older").write_bytes(older)
    with pytest.raises(StorageError, match="another game or version"):
        Solver(built(NIM), file=tmp_path / "older", **SMALL)
    assert (tmp_path / "older").read_bytes() == older


def test_ctrl_c_ends_all_threads_before_the_time_is_up():
    """With a table that does not grow, as with a full one or one in a file, nothing else interrupts the search."""
    slices = count(1)

    def stop() -> bool:
        if (number := next(slices)) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return number >= 10_000

    solver = Solver(
        built(bundled_game("connectFour").text), threads=2, playouts=False, grows=False, clock=FakeClock(), **SMALL
    )
    with pytest.raises(KeyboardInterrupt):
        solver.run(60, stop)
    assert next(slices) < 10_000


def test_it_stops_when_told_and_continues():
    solver = Solver(built(NIM), **SMALL)
    assert solver.run(60, stop=lambda: True) in (True, False)
    assert solver.run(60)


THREE = """
(role a) (role b) (role c) (init (turn a)) (after a b) (after b c) (side left) (side right)
(<= (legal ?r ?s) (true (turn ?r)) (side ?s))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))
(<= (next (chose ?r ?s)) (does ?r ?s) (side ?s))
(<= (next (chose ?r ?s)) (true (chose ?r ?s)))
(<= terminal (true (chose c ?s)))
(<= (goal a 100) (true (chose a left)) (true (chose b left)))
(<= (goal a 40) (true (chose a right)))
(<= (goal a 10) (true (chose a left)) (true (chose b right)))
(<= (goal b 70) (true (chose c left))) (<= (goal b 30) (true (chose c right)))
(<= (goal c 50) (true (chose c ?s)))
"""


@pytest.mark.parametrize(("role", "goal"), [(0, 40), (1, 30), (2, 50)])
def test_a_role_of_three_can_force_a_goal(role: int, goal: int):
    assert solved(THREE, role=role).low == goal


@given(duels(), st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_what_one_of_two_opposed_roles_can_force_is_the_value(duel: Duel, role: int):
    assert solved(duel.rules, role=role).low == (duel.value() if role == 0 else 100 - duel.value())


REFUSED = {
    "two": ("(role a) (init p) (legal a x) (next p) (goal a 0) (<= terminal (true q))", "this game has 1"),
    "chance": (
        "(role a) (role random) (init p) (legal a x) (legal random x) (next p) (goal a 0) (goal random 0)"
        " (<= terminal (true q))",
        "chance",
    ),
}


@pytest.mark.parametrize(("rules", "text"), REFUSED.values(), ids=REFUSED)
def test_a_game_of_another_kind_is_refused(rules: str, text: str):
    with pytest.raises(UnsolvableError, match=text):
        Solver(built(rules), **SMALL)


TOGETHER = """
(role a) (role b) (init p) (move x) (move y)
(<= (legal ?r ?m) (role ?r) (move ?m))
(<= (next (chose ?r ?m)) (does ?r ?m))
(<= terminal (true (chose a ?m)))
(<= same (true (chose a ?m)) (true (chose b ?m)))
(<= (goal a 100) same) (<= (goal a 0) (not same)) (<= (goal b 0) same) (<= (goal b 100) (not same))
"""


def test_simultaneous_moves_are_refused_when_they_occur():
    with pytest.raises(UnsolvableError, match="at the same time"):
        Solver(built(TOGETHER), **SMALL).run(60)


def test_roles_that_are_not_opposed_are_refused():
    rules = NIM.replace("(<= (goal ?r 0) (true (control ?r)))", "(<= (goal ?r 30) (true (control ?r)))")
    with pytest.raises(UnsolvableError, match="different sums"):
        Solver(built(rules), **SMALL).run(60)


CHANCE = """
(role a) (role random) (init (n 0)) (succ 0 1) (succ 1 2)
(<= (legal a go) (true (n 0))) (<= (legal a wait) (true (n 1))) (<= (legal a stay) (true (n 0)))
(<= (legal random wait) (true (n 0))) (<= (legal random heads) (true (n 1))) (<= (legal random tails) (true (n 1)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next risky) (does a go)) (<= (next risky) (true risky)) (<= (next won) (true risky) (does random heads))
(<= terminal (true (n 2)))
(<= (goal a 100) (true won)) (<= (goal a 40) (not (true risky))) (<= (goal a 0) (true risky) (not (true won)))
"""


def test_chance_needs_no_goals():
    """Only the goals of the role that plays against all others count."""
    assert solved(CHANCE, role=0).low == 40


@pytest.mark.parametrize("left", [0, 1])
def test_where_the_system_gives_fewer_threads_the_others_search(left: int, monkeypatch: pytest.MonkeyPatch):
    """The exception ended the thinking of a player in a match."""
    start, places = Thread.start, iter(range(left))

    def refused(thread: Thread) -> None:
        if next(places, None) is None:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(Thread, "start", refused)
    solver = Solver(built(bundled_game("nim").text), threads=2, **SMALL)
    assert solver.run(60)
