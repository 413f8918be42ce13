"""The interpreter of join plans, held against the naive twin and against clingo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.language.parse import read_term
from reasoner.relational.bytecode.engine import PlayInterpreter
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account, EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.conformance import RACE, TOWER
from tests.naive import NaiveMachine

FUTILE = """
(role you) (role me) (init (left 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (take ?n)) (role ?r) (succ ?m ?n) (true (left ?k)) (not (less ?k ?n)))
(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (does_well ?r)) (<= (does_well you) (true (left 0)))
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
"""


def engine(text):
    return PlayInterpreter(read_program(text)[0], TermTable(200, 10_000), Account(EvaluationLimits()))


@pytest.mark.parametrize("fact", ["(g a a)", "a", "(g a)"])
def test_a_fact_that_no_rule_makes_is_seen_by_a_variable_for_whole_facts(fact):
    text = f"""(role me) (legal me wait) (goal me 0) (<= terminal (true over)) (init (g a)) (e {fact})
        (<= (s ?x) (e ?x) (true ?x)) (<= (s none) (true (g ?x ?x)) (true (g ?x)) (true a) (true over))"""
    machine = RelationalMachine(read_program(text)[0])
    assert machine.count(machine.state([read_term(fact)]), "(s ?a)", ["?a"]) == 1


@pytest.mark.parametrize("text", [RACE, TOWER, FUTILE], ids=["race", "tower", "futile"])
def test_games_are_answered_by_the_interpreter_itself_and_as_the_naive_twin_does(text):
    found, twin = engine(text), NaiveMachine(text)
    terms, state, facts = found.memory.terms, found.initial(), twin.initial()
    for step in range(4):
        assert {terms.text(fact) for fact in state} == set(map(str, twin.facts(facts)))
        assert found.terminal(state) == twin.terminal(facts)
        assert tuple(found.goals(state)) == twin.goal(facts)
        if twin.terminal(facts):
            break
        legal = [sorted(moves, key=terms.text) for moves in found.legal(state)]
        assert [[terms.text(move) for move in moves] for moves in legal] == [
            list(map(str, moves)) for moves in twin.legal(facts)
        ]
        joint = [moves[step % len(moves)] for moves in legal]
        state = found.next(state, joint)
        facts = twin.next(facts, [terms.text(move) for move in joint])


def test_a_negative_cycle_between_values_of_goal_is_no_cycle_between_its_shapes():
    found = engine(FUTILE)
    assert found.goals(found.initial()) == [0, 0]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40))
def test_a_random_game_has_the_length_and_goals_of_its_moves(seed):
    """RACE lasts three steps whatever is chosen; its goals are those of some line of play."""
    played = engine(RACE).playouts(engine(RACE).initial(), 3, seed, 100)
    assert played.lengths.tolist() == [3, 3, 3]
    assert played.finished.all()
    assert {tuple(goals) for goals in played.goals.tolist()} <= {(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)}


def test_random_games_choose_uniformly_among_the_moves():
    text = "(role r) (<= (legal r ?n) (n ?n)) (n 0) (n 1) (n 2) (n 3) (init s) (<= (next (at ?n)) (does r ?n))"
    text += "(<= terminal (true (at ?n))) (<= (goal r ?n) (true (at ?n)))"
    found = engine(text)
    goals = found.playouts(found.initial(), 4_000, 1, 10).goals[:, 0]
    counts = np.bincount(goals.astype(int), minlength=4)
    assert counts.sum() == 4_000
    assert abs(counts - 1_000).max() < 150


def test_rows_and_terms_are_given_room_as_they_grow():
    numbers = " ".join(f"(s {i} {i + 1})" for i in range(300))
    rules = f"(role r) (init (at 0)) {numbers} (<= (legal r (go ?x ?y)) (s ?x ?a) (true (at ?b)) (s ?y ?c))"
    rules += "(<= (next (at (pair ?x ?y))) (does r (go ?x ?y))) (<= (next (all (of ?x))) (s ?x ?y))"
    rules += "(<= terminal (true (all ?x))) (goal r 50)"
    found = engine(rules)
    (moves,) = found.legal(found.initial())
    assert len(moves) == 90_000
    after = found.next(found.initial(), [moves[7]])
    assert len(after) == 301
    assert found.terminal(after)
