"""Large views keep the rows that their readers can ask for, and no answer changes."""

import pytest

from reasoner.ground.collect import ground
from reasoner.rewrite import asked_columns as asking
from reasoner.rewrite.asked_columns import asked_columns
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.test_passes import plays_the_same

NUMBERS = "".join(f"(succ {i} {i + 1})" for i in range(9))
GAME = f"""
(role red) (role blue) {NUMBERS} (small 0) (small 1) (small 2)
(number 0) (<= (number ?n) (succ ?m ?n))
(<= (sum ?x 0 ?x) (number ?x))
(<= (sum ?x ?y ?z) (succ ?w ?y) (sum ?x ?w ?v) (succ ?v ?z))
(<= (legal ?r (guess ?n)) (role ?r) (small ?n))
(<= (next (guessed ?r ?n)) (does ?r (guess ?n)))
(<= (total ?z) (true (guessed red ?x)) (true (guessed blue ?y)) (sum ?x ?y ?z))
(<= terminal (total ?z)) (<= (goal ?r 100) (role ?r) (total 4)) (<= (goal ?r 0) (role ?r) (not (total 4)))
"""


@pytest.fixture(autouse=True)
def sums_are_large(monkeypatch):
    monkeypatch.setattr(asking, "MIN_ROWS", 20)


def program(text=GAME):
    return read_program(text)[0]


def rows(its, relation):
    return len(ground(its, relations=(("true", 1), relation)).named[relation[0]])


def test_a_sum_has_the_rows_that_guesses_ask_for():
    after = asked_columns(program())
    assert "(<= (sum ?x 0 ?x) (number ?x) (asked sum 3 1 ?x))" in map(str, after.rules)
    assert rows(after, ("number", 1)) == 10
    assert rows(after, ("asked sum 3 1", 1)) == rows(after, ("asked sum 3 2", 1)) == 3
    plays_the_same(after)


def test_demands_of_a_view_propagate_to_the_views_it_reads():
    rules = set(map(str, asked_columns(program()).rules))
    assert "(<= (asked sum 3 2 ?w) (succ ?w ?y) (asked sum 3 2 ?y))" in rules
    assert "(<= (asked sum 3 2 ?y) (values true guessed 2 2 ?y))" in rules
    assert "(<= (values does guess 2 2 ?n) (small ?n))" in rules


def test_each_reader_of_a_rule_asks():
    twice = "(<= (goal red 50) (true (guessed red ?x)) (sum ?x 7 ?y) (sum 6 ?x ?y))"
    after = asked_columns(program(GAME + twice))
    assert {"(asked sum 3 2 7)", "(asked sum 3 1 6)"} <= set(map(str, after.rules))
    plays_the_same(after)


@pytest.mark.parametrize(
    "more",
    [
        "(<= (goal red 50) (sum ?x ?y 4))",  # any row will do
        "(<= (next ?fact) (true ?fact))",  # what a fact is made of is not known
    ],
)
def test_a_column_that_nothing_bounds_keeps_its_rows(more):
    assert not any(str(rule).startswith("(<= (asked sum 3 2 ") for rule in asked_columns(program(GAME + more)).rules)
    plays_the_same(asked_columns(program(GAME + more)))


def test_small_views_are_left_alone(monkeypatch):
    monkeypatch.setattr(asking, "MIN_ROWS", 10_000)
    before = program()
    assert asked_columns(before) is before


def test_views_that_play_decides_are_left_alone_where_there_are_no_sums(monkeypatch):
    monkeypatch.setattr(asking, "sums", lambda _: set())
    before = program()
    assert asked_columns(before) is before
