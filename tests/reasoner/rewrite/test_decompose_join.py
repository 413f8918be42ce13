"""Large views that are read together are joined separately if keys allow it, and play is unchanged."""

from itertools import product

import pytest

from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite import decompose_join as joining
from reasoner.rewrite.decompose_join import decompose_join
from reasoner.rewrite.keys import find_keys
from reasoner.rules.program import is_positive, variables_in
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import answer_alike

SQUARE = """
(role r) (n 1) (n 2) (n 3) (next-to 1 2) (next-to 2 3)
(<= (same 1 1)) (<= (same 2 2)) (<= (same 3 3))
(<= (legal r (put ?x ?m)) (n ?m) (blank ?x))
(<= (blank ?x) (n ?x) (not (true (mark ?x 1))) (not (true (mark ?x 2))) (not (true (mark ?x 3))))
(<= (next (mark ?x ?m)) (does r (put ?x ?m)))
(<= (next (mark ?x ?m)) (true (mark ?x ?m)))
(<= (once ?z ?a ?b) (same ?z ?a) (n ?b) (not (same ?z ?b)))
(<= (once ?z ?a ?b) (same ?z ?b) (n ?a) (not (same ?z ?a)))
(<= (good ?x) (next-to ?x ?y) (true (mark ?x ?a)) (true (mark ?y ?b)) (once 1 ?a ?b) (once 2 ?a ?b))
(<= terminal (good 1) (good 2)) (<= terminal (not some)) (<= some (blank ?x))
(<= (goal r 100) (good 1)) (<= (goal r 0) (not (good 1)))
"""


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(joining, "MIN_ROWS", 1)


def program(text):
    return read_program(text)[0]


def test_one_mark_per_place_is_proved_through_the_negations_of_a_view():
    assert find_keys(program(SQUARE)).facts["true", "mark", 2] == (frozenset({0}), frozenset({1}))


@pytest.mark.parametrize("missing", ["(not (true (mark ?x 2)))", "(not (true (mark ?x 3)))"])
def test_a_mark_that_the_view_does_not_negate_may_be_a_second_one(missing):
    assert ("true", "mark", 2) not in find_keys(program(SQUARE.replace(missing, ""))).facts


def test_each_literal_of_a_view_is_joined_separately():
    rules = decompose_join(program(SQUARE)).rules
    assert all(rule.head.name != "once" for rule in rules)
    (good,) = [rule for rule in rules if rule.head.name == "good"]
    assert [str(c).split()[0] for c in good.body] == ["(part", "(part"]
    assert sum(rule.head.name.startswith("part ") for rule in rules) == 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(does r (put ?x ?m))", "(does r (put ?y ?m)) (n ?x)"),  # a place comes to have several marks
        ("(next-to ?x ?y) (true", "(n ?x) (n ?y) (true"),  # the second place may be any
        ("(goal r 0) (not (good 1))", "(goal r 0) (n ?a) (not (once 1 ?a ?a))"),  # read under a not
    ],
)
def test_without_the_key_or_under_a_not_views_stay(old, new):
    assert old in SQUARE
    before = program(SQUARE.replace(old, new))
    assert decompose_join(before) == before


def test_every_state_that_keeps_the_key_is_answered_alike():
    before = program(SQUARE)
    ours, theirs = RelationalMachine(decompose_join(before)), RelationalMachine(before)
    for marks in product([None, 1, 2, 3], repeat=3):
        facts = [f"(mark {place} {mark})" for place, mark in enumerate(marks, 1) if mark]
        answer_alike(ours, theirs, ours.state(facts), theirs.state(facts))


def test_a_part_has_only_the_variables_of_the_head_that_it_binds():
    """Else the circuit could not be built: the part of `(once 1 1 2)` did not bind the two of the head."""
    text = SQUARE + "(<= (legal r (swap ?a ?b)) (true (mark 1 ?c)) (once 1 ?a ?b) (once 1 1 2))"
    rules = decompose_join(program(text)).rules
    assert all(rule.head.name != "once" for rule in rules)
    for rule in rules:
        assert {*rule.head.variables()} <= set(variables_in(filter(is_positive, rule.body)))
    ours, theirs = RelationalMachine(decompose_join(program(text))), RelationalMachine(program(text))
    answer_alike(ours, theirs, ours.state(["(mark 1 2)"]), theirs.state(["(mark 1 2)"]))
