"""`does` in what is asked before anyone moves, read leniently: it holds for nothing there."""

from __future__ import annotations

import pytest

from reasoner import load
from reasoner.diagnostics import Severity
from reasoner.machine import Machine
from reasoner.rules.read import ReadLimits, read_program
from tests.reasoner.rules.sheets import GAME, diagnosed, without

LENIENT = ReadLimits(lenient=True)

HIT = """
(role a) (init (at 1))
(<= (legal a go)) (<= (legal a stay) (not hit))
(<= hit (does a go))
(<= (seen hit) hit)
(<= (next (at 2)) (seen hit)) (<= (next (at 1)) (does a stay)) (<= (next struck) hit)
(<= terminal (true (at 2)) (not (seen hit)))
(<= (goal a 100) (or (true struck) hit))
(<= (goal a 0) (not (true struck)) (not hit))
"""


@pytest.fixture(params=["relational", "circuit"])
def machine(request: pytest.FixtureRequest) -> Machine:
    """The game on each engine."""
    return load(HIT, request.param, lenient=True)


def test_does_is_false_before_a_move_and_holds_after_it(machine: Machine):
    """Terminal, legal and goal see nobody hit; next does, in the same relation, on both engines."""
    start = machine.initial()
    assert not machine.terminal(start)
    assert set(map(str, machine.legal(start)[0])) == {"go", "stay"}
    stayed = machine.next(start, ["stay"])
    assert set(map(str, machine.facts(stayed))) == {"(at 1)"}
    end = machine.next(start, ["go"])
    assert set(map(str, machine.facts(end))) == {"(at 2)", "struck"}
    assert machine.terminal(end)
    assert machine.goal(end) == (100,)


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_a_relation_that_holds_because_nobody_moves_holds_before_a_move(engine: str):
    """The relation `idle` denies a move, so it is true while no role has moved."""
    rules = """(role a) (init on) (<= idle (true on) (not (does a go))) (<= (legal a go) idle)
        (<= (legal a stay) (true on) (not idle)) (<= terminal (not (true on))) (goal a 100) (<= (next off) idle)"""
    machine = load(rules, engine, lenient=True)
    start = machine.initial()
    assert list(map(str, machine.legal(start)[0])) == ["go"]
    assert not machine.facts(machine.next(start, ["go"]))


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_a_rule_that_needs_a_move_never_holds(engine: str):
    """A game whose only `terminal` asks for a move never ends, and plays."""
    rules = without("terminal") + "(<= terminal (does white wait)) (<= (next (step 1)) (true (step 2)))"
    rules += "(<= (legal white wait) (true (step 2)))"
    machine = load(rules, engine, lenient=True)
    state = machine.next(machine.initial(), ["wait"])
    assert not machine.terminal(state)
    assert machine.goal(state) == (100,)


def test_it_is_an_error_by_default_and_a_warning_where_it_is_asked_for():
    """The code, the place and the path of relations stay the same."""
    (error,) = [d for d in diagnosed(HIT) if d.severity is Severity.ERROR and d.span and d.span.line == 7]
    (warning,) = [d for d in diagnosed(HIT, LENIENT) if d.code == "does-before-moves" and d.span and d.span.line == 7]
    assert (error.code, error.span) == ("depends-on-does", warning.span)
    assert error.message.endswith("terminal ← seen ← hit ← does")
    assert warning.message.endswith("terminal ← seen ← hit ← does")


def test_the_state_to_come_cannot_be_asked_before_a_move_even_so():
    """Read as false, `next` would report facts that no move makes."""
    for extra in ("(<= terminal (next (step 2)))", "(<= near (next (step 2))) (<= terminal near)"):
        assert "depends-on-does" in {d.code for d in diagnosed(GAME + extra, LENIENT)}


def test_rules_that_keep_to_the_specification_stay_as_they_are():
    assert read_program(GAME, LENIENT) == read_program(GAME)
