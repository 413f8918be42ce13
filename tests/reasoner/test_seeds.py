"""The games of the seed documents play in the documents' own notation."""

from __future__ import annotations

import re

import pytest

from reasoner import load
from reasoner.diagnostics import Severity
from reasoner.errors import RulesError
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.shared import SHARED, needs_shared

pytestmark = needs_shared


def seed(number: str) -> str:
    (path,) = (SHARED / "seeds").glob(f"{number}_*.txt")
    return path.read_text(encoding="utf-8")


@pytest.fixture
def lights() -> RelationalMachine:
    """Multiple Buttons and Lights, as the chapter on factoring prints it."""
    (text,) = re.findall(r"```\n(.*?role\(white\).*?)```", seed("004"), re.DOTALL)
    return RelationalMachine(read_program(text)[0])


def test_multiple_buttons_and_lights_is_played_from_the_chapter(lights: RelationalMachine):
    state = lights.initial()
    assert lights.facts(state) == frozenset()
    assert len(lights.legal(state)[0]) == 9
    for move in ("a(2)", "b(2)", "a(2)"):
        state = lights.next(state, [move])
    assert {"(p 2)", "(q 2)"} <= set(map(str, lights.facts(state)))
    assert lights.goal(state) == (0,)


def test_its_end_is_all_lights_of_the_second_group(lights: RelationalMachine):
    end = lights.state(["p(2)", "q(2)", "r(2)"])
    assert lights.terminal(end)
    assert lights.goal(end) == (100,)
    assert not lights.terminal(lights.state(["p(1)", "q(1)", "r(1)"]))


def test_the_chapters_example_of_dematerialization_is_played_where_rules_are_read_leniently():
    """`next` in the body of a `next` rule: after any move l holds of what the new e leads back from."""
    text = re.sub(r"\s+", " ", seed("000")).partition("base(e(X,Y))")[2].partition("Revision.")[0]
    rules = f"role(r) g(a,b) g(b,a) g(c,a) base(e(X,Y)){text} legal(r,noop) terminal :- true(l(c)) goal(r,100)"
    with pytest.raises(RulesError, match="forbidden-in-body"):
        read_program(rules)
    machine = load(rules, engine="circuit", lenient=True)
    after = machine.facts(machine.next(machine.initial(), ["noop"]))
    assert set(map(str, after)) == {"(e a b)", "(e b a)", "(e c a)", "(l a)", "(l b)"}


def test_tic_tac_toes_fragments_play_where_rules_are_read_leniently():
    """The variables of distinctCell take the values that the cells and marks can hand over."""
    lines = (line for line in seed("003").splitlines() if line.startswith("("))
    text = "\n".join(line for line in lines if line.strip() != "(true (control x))")  # shown to explain `true`
    machine = load(text + REST, engine="relational", lenient=True)
    state = machine.next(machine.initial(), ["(mark 2 2)", "noop"])
    assert {"(cell 2 2 x)", "(cell 1 1 b)", "(control o)"} <= set(map(str, machine.facts(state)))
    assert "(cell 2 2 b)" not in set(map(str, machine.facts(state)))


REST = """
(<= (legal ?p (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?p))) (<= (legal x noop) (true (control o)))
(<= (legal o noop) (true (control x))) (<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n))) (line z)
"""
BOUND = "(index ?x) (index ?y) (index ?m) (index ?n)"


def test_tic_tac_toes_fragments_break_their_own_rule_of_safety_and_play_when_it_is_kept():
    """The introduction shows parts of a game, among them two rules whose variables no positive literal binds."""
    stray = "(true (control x))"  # shown to explain `true`
    text = "\n".join(line for line in seed("003").splitlines() if line.startswith("(") and line.strip() != stray)
    with pytest.raises(RulesError) as caught:
        read_program(text + REST)
    errors = {(d.code, d.span.line) for d in caught.value.diagnostics if d.severity is Severity.ERROR and d.span}
    assert {code for code, _ in errors} == {"unsafe-variable"}
    assert len({line for _, line in errors}) == 4  # two rules of two lines
    safe = text.replace("(<= (distinctCell ?x ?y ?m ?n)", f"(<= (distinctCell ?x ?y ?m ?n) {BOUND}")
    machine = RelationalMachine(read_program(safe + REST + "(index 1) (index 2) (index 3)")[0])
    assert machine.roles == ("x", "o")
    state = machine.next(machine.initial(), ["(mark 2 2)", "noop"])
    assert {"(cell 2 2 x)", "(cell 1 1 b)", "(control o)"} <= set(map(str, machine.facts(state)))
