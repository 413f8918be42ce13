from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, found, underlined

_COUNT = "(succ 1 2) (succ 2 3) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
_CELLS = "(init (cell 1 2 x)) (<= (next (cell ?a ?b ?c)) (true (cell ?a ?b ?c)))"


@pytest.mark.parametrize(
    ("extra", "variable", "where"),
    [
        (
            "(<= terminal (true (step ?r)) (role ?r))",
            "?r",
            "in (true (step ?r)) and (role ?r): they never hold together",
        ),
        (f"{_CELLS} (<= terminal (true (cell ?x ?y ?y)))", "?y", "in (true (cell ?x ?y ?y)): it never holds"),
        (
            f"{_CELLS} (<= terminal (or (true (step 3)) (true (cell ?s ?t ?s))))",
            "?s",
            "in (true (cell ?s ?t ?s)): it never holds",
        ),
    ],
)
def test_a_variable_without_a_common_value_is_reported(extra: str, variable: str, where: str):
    text = GAME + _COUNT + extra
    (fault,) = diagnosed(text)
    assert (fault.code, underlined(text, fault)) == ("no-common-value", variable)
    assert fault.message == f"no value of {variable} is possible {where}"
    assert f"another variable than {variable}" in fault.fix


@pytest.mark.parametrize(
    "extra",
    [
        "(<= terminal (true (step ?n)) (succ ?n ?m) (succ ?m ?o))",
        "(<= terminal (true (step 3)) (not (role 3)))",
        "(<= terminal (true (step ?n)) (distinct ?n 1) (succ 2 ?n))",
        f"{_CELLS} (<= terminal (true (cell ?x ?y ?c)) (succ ?x ?y) (succ ?y ?z))",
        f"{_CELLS} (<= (row ?c) (true (cell ?x ?y ?c)) (succ ?x ?y)) (<= terminal (row x))",
    ],
)
def test_conditions_with_a_common_value_are_not_reported(extra: str):
    assert found(_COUNT + extra) == []


@pytest.mark.parametrize("head", ["(legal ?x (mark ?x))", "(goal ?x 100)"])
def test_a_variable_for_the_role_that_is_never_a_role_is_reported(head: str):
    """The rule states moves or points of nobody."""
    text = f"{GAME}{_CELLS} (<= {head} (true (cell ?x ?y ?c)))"
    (fault,) = [fault for fault in diagnosed(text) if fault.code == "no-common-value"]
    assert underlined(text, fault) == "?x"
    assert fault.message.startswith("no value of ?x in (true (cell ?x ?y ?c)) is a role")


@pytest.mark.parametrize("bound", ["(init (control white)) (<= (next (control ?r)) (true (control ?r)))"])
def test_a_variable_for_the_role_that_may_be_a_role_is_not_reported(bound: str):
    assert found(f"{bound} (<= (legal ?r go) (true (control ?r)))") == []


def test_in_infix_the_conditions_are_shown_in_infix():
    (fault,) = diagnosed(INFIX + "terminal :- true(step(R)) & role(R)\n")
    assert fault.message == "no value of R is possible in true(step(R)) and role(R): they never hold together"
    assert "another variable than R" in fault.fix
