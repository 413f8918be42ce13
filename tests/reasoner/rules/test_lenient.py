"""What texts on the language write, and strict GDL does not know."""

from __future__ import annotations

import re

import pytest

from reasoner.diagnostics import Severity
from reasoner.errors import RulesError
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import ReadLimits, read_program
from tests.reasoner.rules.sheets import GAME, diagnosed

LENIENT = ReadLimits(lenient=True)


def facts_after(extra: str) -> set[str]:
    machine = RelationalMachine(read_program(GAME + extra, LENIENT)[0])
    return set(map(str, machine.facts(machine.next(machine.initial(), ["wait"]))))


def errors(extra: str) -> list[str]:
    return [d.code for d in diagnosed(GAME + extra, LENIENT) if d.severity is Severity.ERROR]


def test_next_in_a_body_asks_for_the_state_to_come():
    assert facts_after("(<= (next (after ?n)) (next (step ?n)))") == {"(step 2)", "(after 2)"}
    assert facts_after("(<= (next calm) (not (next (step 3))))") == {"(step 2)", "calm"}
    assert facts_after("(<= (next (step 3)) (next (step 2))) (<= (next more) (next (step 3)))") == {
        "(step 2)",
        "(step 3)",
        "more",
    }


def test_a_rule_for_any_fact_makes_those_that_next_asks_for_too():
    assert "seen" in facts_after("(init (kept 1)) (<= (next ?f) (true ?f)) (<= (next seen) (next (kept 1)))")


def test_next_in_a_body_may_not_depend_on_its_own_negation_nor_be_asked_before_a_move():
    assert errors("(<= (next (p 1)) (role white) (not (next (p 1))))") == ["unstratified"]
    assert errors("(<= terminal (next (step 2)))") == ["depends-on-does"]
    assert errors("(<= (next (p ?x)) (next ?x))") == ["forbidden-in-body"]


def test_a_variable_of_a_head_has_the_values_that_uses_can_pass():
    uses = "(q 1) (q 2) (r 2) (r 3) (<= (next (p ?x ?y)) (q ?x) (r ?y) (other ?x ?y))"
    extra = "(<= (other ?x ?y) (distinct ?x ?y))" + uses
    assert facts_after(extra) == {"(step 2)", "(p 1 2)", "(p 1 3)", "(p 2 3)"}


def test_a_body_inside_the_head_of_a_keyword_is_moved_out_of_it():
    extra = "(<= (init (kept ?n) (kind ?n) (distinct ?n 2))) (kind 1) (kind 2)"
    extra += "(<= (next (kept ?n) (true (kept ?n))) (kind ?n))"
    assert facts_after(extra) == {"(step 2)", "(kept 1)"}
    assert [d.code for d in diagnosed(GAME + extra, LENIENT)].count("body-in-head") == 2


def test_superfluous_arguments_that_are_not_conditions_stay_an_error():
    assert errors("(init (p 1) (p 2))") == ["keyword-arity"]
    assert "keyword-arity" in errors("(<= (init (p 1) 2))")
    assert "keyword-arity" in {d.code for d in diagnosed(GAME + "(<= (init (p ?x) (role ?x)))")}


def test_a_variable_of_legal_or_goal_is_a_role():
    text = GAME.replace("(goal white 100)", "(<= (goal ?r 50) (not (true (step 3))))")
    machine = RelationalMachine(read_program(text, LENIENT)[0])
    assert machine.goal(machine.initial()) == (50,)


@pytest.mark.parametrize(
    "extra",
    [
        "(<= (p ?x) (not (role ?x)))",  # used by nothing
        "(<= (p ?x) (distinct ?x ?y)) (<= terminal (role ?z) (p ?z))",  # ?y is none of the head's
        "(<= (p ?x) (distinct ?x 1)) (<= (q ?z) (p ?z)) (<= terminal (q 2))",  # a use that binds nothing
    ],
)
def test_a_variable_that_no_use_binds_stays_an_error(extra: str):
    assert "unsafe-variable" in errors(extra)


@pytest.mark.parametrize("same", ["(same ?x ?x)", "(<= (same ?x ?x))", "(<= (same ?x ?x) (true (step 1)))"])
@pytest.mark.parametrize("legal", ["(<= (legal ?r go))", "(legal ?r go)", "(<= (legal ?r go) (true (step 1)))"])
def test_variables_of_a_fact_are_read_as_those_of_a_rule(same: str, legal: str):
    """With a body, without one, or without an arrow, the same values are taken, and reported in the same words."""
    extra = f"(role black) {legal} {same} (<= (next kept) (does black go) (same a a) (not (same b a)))"
    machine = RelationalMachine(read_program(GAME + extra, LENIENT)[0])
    assert "kept" in set(map(str, machine.facts(machine.next(machine.initial(), ["wait", "go"]))))
    reports = diagnosed(GAME + extra, LENIENT)
    assert [(d.code, d.message.split("it gets ")[-1][:11]) for d in reports] == [
        ("bound-by-uses", "every role;"),
        ("bound-by-uses", "all values "),
    ]


INTERNAL = re.compile(r"some \d|either \d|coming |values of \S+/|before moves")


@pytest.mark.parametrize(
    "extra",
    [
        "(<= (same ?x ?x) (true (step 1))) (<= (next p) (same a a))",
        "(<= (q ?x) (role ?x) (not (p ?x ?y))) (<= (p ?x ?x) (q ?x)) (<= terminal (q white))",
        "(<= (next (l 1)) (not (next (l 1))))",
        "(<= (next (l ?x)) (p ?x) (not (next (l 2)))) (p 1) (p 2)",
        "(<= hit (does white wait)) (<= terminal hit) (<= (goal white 0) (not hit))",
    ],
)
def test_no_message_holds_a_name_of_the_reading_itself(extra: str):
    """Diagnostics use the words of the rulesheet."""
    reports = diagnosed(GAME + extra, LENIENT)
    assert reports
    assert [d for d in reports if INTERNAL.search(d.message + d.fix)] == []


def test_both_are_errors_unless_asked_for():
    for extra in ("(<= (next x) (next (step 2)))", "(<= (p ?x) (distinct ?x 1)) (<= terminal (p 2))"):
        with pytest.raises(RulesError):
            read_program(GAME + extra)
