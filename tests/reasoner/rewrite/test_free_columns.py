"""Views are split by the columns that their rules leave free, and their union is unchanged."""

import pytest
from hypothesis import given, settings

from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite import free_columns as splitting
from reasoner.rewrite.free_columns import free_columns
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import answer_alike, games

GAME = """
(role r) (place a) (place b) (place c) (next-to a b) (next-to b c)
(init (empty b)) (<= (next (empty ?x)) (true (empty ?x)))
(<= (way ?x ?y ?off) (next-to ?x ?y) (place ?off))
(<= (way ?x ?y ?off) (next-to ?x ?off) (way ?off ?y ?off))
(<= (way ?x ?y ?off) (next-to ?x ?z) (true (empty ?z)) (way ?z ?y ?off))
(<= (legal r (go ?x ?off)) (place ?x) (place ?off) (not (way a ?x ?off)))
(<= terminal (way a c b)) (<= (goal r 50) (true (empty b)))
"""


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(splitting, "MIN_ROWS", 0)
    monkeypatch.setattr(splitting, "MIN_OTHER_ROWS", 0)


def texts(text):
    return list(map(str, free_columns(read_program(text)[0]).rules))


def test_a_column_that_only_its_range_restricts_is_removed_also_through_recursion():
    after = texts(GAME)
    assert "(<= (way free 0 ?x ?y) (next-to ?x ?y))" in after
    assert "(<= (way free 0 ?x ?y) (next-to ?x ?z) (true (empty ?z)) (way free 0 ?z ?y))" in after
    assert "(<= (way ?x ?y ?off) (next-to ?x ?off) (way free 0 ?off ?y) (place ?off))" in after


def test_under_a_not_none_of_the_parts_may_hold():
    assert (
        "(<= (legal r (go ?x ?off)) (place ?x) (place ?off) (not (way free 0 a ?x)) (not (way a ?x ?off)))"
    ) in texts(GAME)


def test_a_range_that_may_not_hold_is_asked_for():
    wider = GAME.replace("(not (way a ?x ?off))", "(not (way a ?x ?x))").replace(
        "(place ?x) (place ?off)", "(any ?x ?off)"
    )
    after = texts(wider + "(any a a) (any d a)")
    legal = [rule for rule in after if rule.startswith("(<= (legal")]
    assert any("(not (place ?x))" in rule for rule in legal)
    assert any("(not (way free 0 a ?x))" in rule for rule in legal)


def test_a_program_without_large_views_or_with_too_many_parts_stays_as_it_is(monkeypatch):
    program, _ = read_program(GAME)
    monkeypatch.setattr(splitting, "MAX_PATTERNS", 1)
    assert free_columns(program) == program
    monkeypatch.setattr(splitting, "MAX_PATTERNS", 8)
    monkeypatch.setattr(splitting, "MAX_READINGS", 1)
    assert free_columns(program) == program
    monkeypatch.setattr(splitting, "MAX_READINGS", 64)
    monkeypatch.setattr(splitting, "MIN_ROWS", 100_000)
    assert free_columns(program) == program


STATES = [["(f a b)", "(f b c)"], ["(f c c)", "(f b a)", "(f a c)"]]


@settings(max_examples=30)
@given(games())
def test_moves_and_ends_are_those_of_the_rules_as_they_were(game):
    ours, theirs = RelationalMachine(free_columns(game)), RelationalMachine(game)
    for facts in STATES:
        answer_alike(ours, theirs, ours.state(facts), theirs.state(facts))
