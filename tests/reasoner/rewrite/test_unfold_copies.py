"""Views that only copy rows between two others are removed, and others stay."""

import pytest

from reasoner.rewrite import unfold_views as unfolding
from reasoner.rewrite.unfold_views import unfold_copies
from reasoner.rules.read import read_program

GAME = """
(role r) (init (at a)) (succ a b) (succ b c)
(<= (rise ?x ?y) (succ ?x ?y))
(<= (rise ?x ?z) (succ ?x ?y) (rise ?y ?z))
(<= (ray ?x ?y) (rise ?x ?y))
(<= (ray ?x ?y) (rise ?y ?x))
(<= (move ?x ?y) (ray ?x ?y))
(<= (legal r (go ?y)) (true (at ?x)) (move ?x ?y))
(<= (next (at ?y)) (does r (go ?y)))
(<= terminal (true (at c)))
(goal r 100)
"""


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch):
    monkeypatch.setattr(unfolding, "MIN_COPIED_ROWS", 0)


def program(text):
    return read_program(text)[0]


def test_a_view_between_two_copy_rules_is_removed():
    rules = {str(rule) for rule in unfold_copies(program(GAME)).rules}
    assert {"(<= (move ?x ?y) (rise ?x ?y))", "(<= (move ?x ?y) (rise ?y ?x))"} <= rules
    assert not any("(ray " in rule for rule in rules)
    assert "(<= (legal r (go ?y)) (true (at ?x)) (move ?x ?y))" in rules  # it joins, and reads all rows at once


@pytest.mark.parametrize(
    "more",
    [
        "(<= (ray ?x ?x) (succ ?x ?y))",  # not each row hands on one
        "(<= (goal r 50) (true (at ?x)) (not (ray ?x ?x)))",  # read under a `not`, and a second time
        "(<= (ray ?x ?y) (move ?y ?x))",  # depends on itself
    ],
)
def test_other_views_are_left_alone(more):
    before = program(GAME + more)
    assert unfold_copies(before) == before


def test_small_views_are_left_alone(monkeypatch):
    monkeypatch.setattr(unfolding, "MIN_COPIED_ROWS", 1000)
    before = program(GAME)
    assert unfold_copies(before) is before
