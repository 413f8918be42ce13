"""A large view of one rule is joined where it is read, and small ones are left alone."""

from reasoner.language.terms import Constant
from reasoner.rewrite import unfold_views as unfolding
from reasoner.rewrite.unfold_views import unfold_large
from reasoner.rules.program import Atom
from reasoner.rules.read import read_program

PLACES = " ".join(f"(place p{i})" for i in range(20))
GAME = f"""
(role r) {PLACES} (init (at p0 p0)) (next-to p0 p1) (next-to p1 p2)
(<= (legal r (go ?x ?y)) (place ?x) (place ?y))
(<= (next (at ?x ?y)) (does r (go ?x ?y)))
(<= (far ?a ?b ?c ?d) (place ?a) (place ?b) (place ?c) (place ?d) (distinct ?a ?c))
(<= (near ?a ?b) (next-to ?a ?b))
(<= (goal r 100) (true (at ?x ?y)) (far ?x ?y p1 ?z) (near ?x ?z))
(<= (goal r 0) (true (at p1 ?y)))
(<= terminal (true (at p2 ?y)))
"""


FRAME = "(role r) (legal r wait) (goal r 100) (init (q a)) (<= (next (q a)) (true (q a)))"


def program(text):
    return read_program(text)[0]


def test_a_view_of_all_combinations_is_unfolded():
    after = unfold_large(program(GAME))
    assert all(rule.head.name != "far" for rule in after.rules)
    (goal,) = [rule for rule in after.rules if rule.head == Atom("goal", (Constant("r"), Constant("100")))]
    assert "(distinct ?x p1)" in str(goal)
    assert "(near ?x ?z)" in str(goal)


def test_a_view_with_a_second_rule_or_under_a_not_is_left_alone():
    for more in ("(<= (far ?a ?a ?a ?a) (place ?a))", "(<= (goal r 50) (true (at ?x ?y)) (not (far ?x ?y ?x ?y)))"):
        before = program(GAME + more)
        assert unfold_large(before) == before


def test_variables_of_one_view_read_twice_stay_apart(monkeypatch):
    monkeypatch.setattr(unfolding, "MIN_ROWS", 1)
    view = "(e a b) (e b c) (p a a) (<= (two ?x ?y) (e ?x ?z) (e ?z ?y))"
    text = f"{FRAME} {view} (<= terminal (two ?x ?y) (two ?y ?z) (p ?x ?z))"
    (rule,) = [rule for rule in unfold_large(program(text)).rules if rule.head.name == "terminal"]
    assert len({v for c in rule.body for v in c.variables()}) == 5


def test_a_reader_whose_pattern_no_row_has_is_dropped(monkeypatch):
    monkeypatch.setattr(unfolding, "MIN_ROWS", 1)
    view = "(e a b) (<= (v (f ?x) ?y) (e ?x ?y))"
    text = f"{FRAME} {view} (<= terminal (v ?x b)) (<= (goal r 0) (v (g ?x) ?y) (e ?x ?y))"
    heads = [rule.head for rule in unfold_large(program(text)).rules]
    assert Atom("terminal") in heads
    assert Atom("goal", (Constant("r"), Constant("0"))) not in heads
