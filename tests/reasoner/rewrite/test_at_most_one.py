"""At-most-one facts are proved for rules that preserve them, and only for these."""

import pytest

from reasoner.language.terms import Constant
from reasoner.rewrite import at_most_one as proving
from reasoner.rewrite.at_most_one import at_most_one_facts
from reasoner.rewrite.keys import find_keys
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.guards import GUARDS

CELL = ("true", "cell", 2)
KINGS = frozenset((1, Constant(king)) for king in ("wk", "bk"))


def found(text):
    program, _ = read_program(text)
    return at_most_one_facts(program, find_keys(program).facts)


def test_each_king_is_proved_to_have_one_fact():
    assert found(GUARDS)[CELL] == KINGS


@pytest.mark.parametrize(
    "more",
    [
        "(init (cell 4 wk))",
        "(<= (next (cell 4 wk)) (does ?r rest))",
        "(<= (next (cell ?y wk)) (does white (move wg ?x ?y)) (true (cell ?x wg)))",
        "(<= (next ?f) (true ?f))",
        "(<= (legal white (move wk ?x ?y)) (true (control white)) (beside ?x ?y))",
        "(<= (legal ?r (move wk ?x ?y)) (role ?r) (true (cell ?x wk)) (beside ?x ?y))",
        "(<= (legal white ?move) (extra ?move)) (extra (move wk 2 4))",
        "(<= (init ?fact) (start ?fact)) (start (cell 4 wk))",
    ],
)
def test_a_rule_that_can_make_a_second_king_prevents_the_proof(more):
    assert (1, Constant("wk")) not in found(GUARDS + more).get(CELL, ())


def test_a_proof_past_the_step_limit_fails(monkeypatch):
    monkeypatch.setattr(proving, "MAX_STEPS", 3)
    assert found(GUARDS) == {}


def test_a_derived_initial_fact_is_not_a_candidate():
    derived = GUARDS.replace("(init (cell 1 wk))", "(<= (init (cell ?x wk)) (step ?x 2))")
    assert (1, Constant("wk")) not in found(derived).get(CELL, ())


def test_a_proof_fails_with_the_candidates_that_it_uses():
    follower = """(role walker) (init (at 1 a)) (init (at 1 b)) (<= (next (at ?x a)) (true (at ?x b)))
        (<= (legal walker (go ?x)) (true (at ?x b))) (<= terminal (true (at 3 a))) (goal walker 50)"""
    kind = ("true", "at", 2)
    assert found(follower + "(<= (next (at ?x b)) (does walker (go ?x)))")[kind] == {(1, Constant(x)) for x in "ab"}
    assert not found(follower + "(next (at 1 b)) (next (at 2 b))").get(kind)


def test_a_move_that_is_a_variable_may_be_legal_by_every_rule():
    """Also where the variable of a `legal` rule has the same name."""
    walker = """(role walker) (init (at 1 a)) (init (at 2 b)) (init (at 3 b)) (number 1) (number 2)
        (<= (legal ?r ?m) (role ?r) (extra ?m)) (extra rest) (leads (go 1) 5 a) (leads (go 2) 5 a)
        (<= (legal walker (go ?x)) (number ?x)) (<= terminal (true (at 4 a))) (goal walker 50)
        (<= (next (at ?x ?p)) (does ?r ?m) (leads ?m ?x ?p)) (<= (next (at ?x ?p)) (true (at ?x ?p)))"""
    assert (1, Constant("a")) not in found(walker).get(("true", "at", 2), ())
