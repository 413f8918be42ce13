"""What decided a game's end."""

import time

import pytest

from agent.gamemaster.games import bundled_game
from agent.worker.cause import cause
from reasoner import load

LINE = ["(cell 1 1 x)", "(cell 2 2 x)", "(cell 3 3 x)"]
OTHERS = ["(cell 1 2 o)", "(cell 1 3 o)", *(f"(cell {x} {y} b)" for x, y in ("21", "23", "31", "32"))]


def cell_of(facts):
    return [fact for fact in facts if fact.startswith("(cell")]


@pytest.fixture(scope="module")
def machine():
    return load(bundled_game("ticTacToe").text, engine="relational")


def test_a_line_of_three_is_what_decided(machine):
    state = machine.state([*LINE, *OTHERS, "(control nought)"])
    assert machine.terminal(state)
    assert cell_of(cause(machine, state)) == LINE


def test_a_draw_has_no_cause_and_neither_has_what_takes_too_long(machine):
    state = machine.state([*LINE, *OTHERS, "(control nought)"])
    times = iter(range(1000))
    assert cause(machine, state, clock=lambda: float(next(times))) == ()
    full = [
        f"(cell {x} {y} {mark})"
        for (x, y), mark in zip([(x, y) for x in "123" for y in "123"], "xoxxoooxx", strict=True)
    ]
    drawn = machine.state([*full, "(control cross)"])
    assert machine.goal(drawn) == (50, 50)
    assert cause(machine, drawn) == ()


class Kept:
    """A machine whose process gets no processor for a while."""

    def __init__(self, machine):
        self._machine = machine

    def __getattr__(self, name):
        return getattr(self._machine, name)

    def goal(self, state):
        time.sleep(0.1)
        return self._machine.goal(state)


def test_what_decided_is_found_also_on_a_busy_machine(machine):
    state = machine.state([*LINE, *OTHERS, "(control nought)"])
    assert cell_of(cause(Kept(machine), state)) == LINE


CAPTURE = """
(role red) (role black) (init (cell 1 1 rook)) (init (cell 1 2 king)) (init (cell 2 2 pawn)) (init (cell 2 1 b))
(legal red (take 1 1 1 2)) (legal red (take 1 1 2 2)) (legal black noop)
(<= (next (cell 1 1 b)) (does red (take 1 1 1 2)))
(<= (next (cell 1 2 rook)) (does red (take 1 1 1 2))) (next (cell 2 2 pawn)) (next (cell 2 1 b))
(<= reigns (true (cell ?x ?y king))) (<= terminal (not reigns))
(<= (goal red 100) (not reigns)) (<= (goal red 0) reigns) (<= (goal black 0) (not reigns)) (<= (goal black 100) reigns)
"""


def test_a_king_that_was_captured_decided_where_it_stood():
    machine = load(CAPTURE, engine="relational")
    before = machine.initial()
    take = next(move for move in machine.legal(before)[0] if str(move) == "(take 1 1 1 2)")
    after = machine.next(before, [take, machine.legal(before)[1][0]])
    assert machine.terminal(after)
    assert cause(machine, after) == []
    assert cause(machine, after, before) == ["(cell 1 2 king)"]


def test_of_two_reasons_only_what_they_share_decided():
    machine = load(bundled_game("fiveInARow").text, engine="relational")
    stones = {(x, 7) for x in range(1, 6)} | {(5, y) for y in range(7, 12)}
    state = machine.state([*(f"(cell {x} {y} black)" for x, y in stones), "(cell 1 1 empty)", "(control white)"])
    assert cause(machine, state) == ["(cell 5 7 black)"]
