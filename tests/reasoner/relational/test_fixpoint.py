"""Recursion and negation inside a component of relations."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.errors import RulesError
from reasoner.language.parse import read_term
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.naive import NaiveMachine, read

GAME = "(role me) (role you) (legal me wait) (legal you wait) (<= terminal (true over)) (init (turn 1))\n"
SUCCESSORS = "(succ 1 2) (succ 2 3) (succ 3 4)\n"


def machine(rules):
    return RelationalMachine(read_program(GAME + rules)[0])


def rows(rules, relation, facts=("(turn 1)",)):
    game = machine(rules)
    return {" ".join(map(str, row)) for row in game.relation(relation, game.state(map(read_term, facts)))}


@settings(max_examples=30)
@given(st.sets(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"))))
def test_left_right_and_double_recursion_reach_the_same(edges):
    facts = "(edge z z) " + " ".join(f"(edge {a} {b})" for a, b in edges)
    rules = (
        facts
        + """
    (<= (left ?x ?y) (edge ?x ?y)) (<= (left ?x ?z) (left ?x ?y) (edge ?y ?z))
    (<= (right ?x ?y) (edge ?x ?y)) (<= (right ?x ?z) (edge ?x ?y) (right ?y ?z))
    (<= (both ?x ?y) (edge ?x ?y)) (<= (both ?x ?z) (both ?x ?y) (both ?y ?z))"""
    )
    assert rows("(goal me 0)" + rules, ("left", 2)) == rows("(goal me 0)" + rules, ("right", 2))
    assert rows("(goal me 0)" + rules, ("left", 2)) == rows("(goal me 0)" + rules, ("both", 2))


def test_a_goal_may_be_the_negation_of_another_goal():
    rules = "(<= (goal me 100) (true (turn 2))) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"
    game = machine(rules)
    assert game.goal(game.state(map(read_term, ["(turn 1)"]))) == (0, 0)
    assert game.goal(game.state(map(read_term, ["(turn 2)"]))) == (100, 0)


def test_a_negative_cycle_over_an_order_is_decided():
    rules = (
        SUCCESSORS
        + """(goal me 0)
    (<= (even 1) (not (true (stone 1)))) (<= (odd 1) (true (stone 1)))
    (<= (even ?m) (succ ?n ?m) (even ?n) (not (true (stone ?m)))) (<= (odd ?m) (succ ?n ?m) (even ?n) (true (stone ?m)))
    (<= (even ?m) (succ ?n ?m) (not (even ?n)) (true (stone ?m)))"""
    )
    assert rows(rules, ("even", 1), ["(stone 2)", "(stone 3)"]) == {"1", "3", "4"}


def test_a_negative_cycle_that_the_facts_do_not_close_is_decided():
    rules = """(goal me 0) (move a b) (move b c) (move c d)
    (<= (win ?x) (move ?x ?y) (not (win ?y)))"""
    assert rows(rules, ("win", 1)) == {"a", "c"}


def test_a_negative_cycle_that_a_state_closes_is_an_error_in_that_state():
    game = machine("(goal me 0) (<= (win ?x) (true (move ?x ?y)) (not (win ?y)))")
    assert game.query(game.state(map(read_term, ["(move a b)"])), "(win a)") == ({},)
    with pytest.raises(RulesError, match=r"\(win [ab]\).*\[unstratified\]") as fault:
        game.query(game.state(map(read_term, ["(move a b)", "(move b a)"])), "(win a)")
    assert fault.value.diagnostics[0].span.line == 2


def test_a_negative_cycle_that_another_way_out_decides_is_decided():
    rules = "(goal me 0) (<= (win ?x) (true (move ?x ?y)) (not (win ?y)))"
    facts = ["(move a b)", "(move b a)", "(move b c)"]
    twin = NaiveMachine(GAME + rules).model([("true", fact) for fact in read(" ".join(facts))])
    assert rows(rules, ("win", 1), facts) == {atom[1] for atom in twin if atom[0] == "win"} == {"b"}


def test_an_atom_that_supports_only_itself_is_false():
    rules = "(goal me 0) (q a) (<= (r ?x) (r ?x) (q ?x)) (<= (s ?x) (t ?x)) (<= (t ?x) (s ?x))"
    assert rows(rules, ("r", 1)) == rows(rules, ("s", 1)) == set()


def test_a_state_that_does_not_ask_for_an_undecided_atom_has_no_error():
    game = machine("(goal me 0) (<= terminal (true (turn 9)) (win a)) (<= (win ?x) (true (move ?x ?y)) (not (win ?y)))")
    assert not game.terminal(game.state(map(read_term, ["(move a b)", "(move b a)"])))
    with pytest.raises(RulesError, match="unstratified"):
        game.terminal(game.state(map(read_term, ["(move a b)", "(move b a)", "(turn 9)"])))


def test_an_undecided_move_is_named_as_the_rulesheet_writes_it():
    game = machine("(goal me 0) (<= (legal you (go ?x)) (true (move ?x ?y)) (not (legal you (go ?y))))")
    state = game.state(map(read_term, ["(move a a)"]))
    with pytest.raises(RulesError, match=r"\(legal you \(go a\)\) depends on its own negation"):
        game.legal(state)
