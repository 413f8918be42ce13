from __future__ import annotations

import pytest

from reasoner.diagnostics import Severity
from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, found, underlined, without


@pytest.mark.parametrize("name", ["role", "legal", "terminal", "goal"])
def test_a_game_without_one_of_the_four_is_an_error_without_a_place(name: str):
    missing = [d for d in diagnosed(without(name)) if d.span is None]
    assert [d.code for d in missing] == [f"missing-{name}"]


@pytest.mark.parametrize(
    ("extra", "faults"),
    [
        ("(true (step 1))", [("forbidden-head", "true")]),
        ("(<= (DOES white wait) (role white))", [("forbidden-head", "DOES")]),
        ("(<= (role black) (role white))", [("role-not-fact", "role")]),
        ("(<= (role black))", [("empty-body", "(<=")]),
        ("(legal ?r wait)", [("variable-in-fact", "?r")]),
        ("(<= (legal ?r wait))", [("variable-in-fact", "?r")]),
        ("(<= (next (step 3)) (next (step 2)))", [("forbidden-in-body", "next")]),
        ("(<= terminal (not (init (step 2))))", [("forbidden-in-body", "init")]),
        ("(base (step 2)) (<= terminal (base (step 2)))", [("declaration-in-body", "base")]),
        ("(sees white (step 1))", [("gdl-ii", "sees")]),
        ("(role black)\n(role black)", [("duplicate-role", "(role")]),
    ],
)
def test_keywords_have_their_places(extra: str, faults: list[tuple[str, str]]):
    assert found(extra) == faults


@pytest.mark.parametrize(
    ("extra", "rule"),
    [
        ("(legal white go) (true (step 1))", "(<= (legal …) (true …))"),
        ("(legal ?r (go ?x)) (true (control ?r)) (true (step ?x))", "(<= (legal …) (true …))"),
        ("(<= (next (step 3))) (does white wait)", "(<= (next …) (does …))"),
        ("(over ?x) (true (step ?x)) (<= terminal (over 2))", "(<= (over …) (true …))"),
        ("terminal (true (step 3))", "(<= terminal (true …))"),
        ("(init (step 3)) (true (step 1))", "(<= HEAD (true …))"),
    ],
)
def test_a_condition_outside_its_rule_is_one_error_that_shows_the_rule(extra: str, rule: str):
    """Prolog's facts, and rules whose list ends after the head, become one message."""
    (fault,) = [d for d in diagnosed(GAME + extra) if d.severity is Severity.ERROR]
    assert fault.code == "forbidden-head"
    assert f"condition: {rule}. Use " in fault.fix


def test_every_stated_fact_with_true_is_an_error():
    """Only conditions of the same rule are reported together."""
    assert found("(succ 1 2) (true (succ 1 2)) (true (step 2))")[1:] == [("forbidden-head", "true")] * 2


def test_terminal_goal_and_legal_may_be_asked_in_bodies():
    assert found("(<= terminal (goal white 100) (not (legal white wait)))") == []


def test_statements_with_faults_of_syntax_do_not_hide_the_others():
    codes = [d.code for d in diagnosed("(<= (not p)) (p ?x)" + GAME)]
    assert codes == ["connective-as-head", "unused-relation", "variable-in-fact"]


@pytest.mark.parametrize(
    ("extra", "code", "place"),
    [
        ("(<= terminal ((true (step 3))))", "no-name", "("),
        ("(<= terminal ((role ?r) (true (step ?x))) (distinct ?x 1))", "no-name", "("),
        ("(<= terminal (not ((role white) or (true (step 3)))))", "connective-as-name", "or"),
        ("(<= terminal ((true (step 3)) & (role white)))", "sign-alone", "&"),
        ("(<= terminal (true (step 3)) () (not ()))", "empty-list", "("),
        ("(<= terminal (true ((step 3))))", "no-name", "("),
        ("(<= terminal (true ()))", "empty-list", "("),
        ("(<= terminal (role ?r) (?r ?x) (distinct ?x 1))", "variable-as-name", "?r"),
        ("(<= ((step 3)) (true (step 3)))", "no-name", "("),
        ("(<= (?p) (true (step 3)))", "variable-as-name", "?p"),
    ],
)
def test_a_list_without_a_name_is_one_kind_of_fault(extra: str, code: str, place: str):
    """No warning is about the name that it lacks, and its literals bind variables."""
    assert set(found(extra)) == {(code, place)}


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        ("role([black,red])", "role"),
        ("init([cell(1),cell(2)])", "init"),
        ("next([cell(1),step(2)]) :- does(white,wait)", "next"),
        ("next(step(3)) :- true([step(1),step(2)])", "true"),
        ("legal(white,[left,right]) :- true(step(1))", "legal"),
        ("init([])", "init"),
    ],
)
def test_a_list_in_place_of_several_facts_is_told(extra: str, word: str):
    text = f"{INFIX}{extra}\n"
    assert [underlined(text, d) for d in diagnosed(text) if d.code == "list-as-one"] == [word]


def test_a_list_inside_a_fact_and_a_cons_of_kif_are_not_told():
    assert "list-as-one" not in {d.code for d in diagnosed(f"{INFIX}init(hand([a,b])) terminal :- true(hand(X))")}
    assert "list-as-one" not in {code for code, _ in found("(init (cons a nil)) (<= terminal (true (cons ?x ?y)))")}
