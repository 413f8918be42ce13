"""Splitting bodies keeps the model and projects local variables away."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.terms import Constant, Variable
from reasoner.rewrite import split_bodies as split_bodies_module
from reasoner.rewrite.split_bodies import AUXILIARY, split_bodies
from reasoner.rules.program import Atom, Distinct, Literal, Program, Rule
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import stable_model

TERMS = [Variable(v) for v in "xyzuvw"] + [Constant("a"), Constant("b")]
EXTERNAL = re.compile("#external (.*?) : ")
"""How what may be true is left open to gringo, where only the circuit takes it for true."""
EDGES = {"e": 2, "f": 2, "g": 1}


@st.composite
def programs(draw):
    """Facts over three relations, and rules whose bodies are long enough to be split; always safe and stratified."""
    constants = st.sampled_from([Constant(c) for c in "abc"])
    rules = [
        Rule(Atom(name, tuple(draw(constants) for _ in range(arity))))
        for name, arity in EDGES.items()
        for _ in range(draw(st.integers(1, 4)))
    ]
    for i in range(draw(st.integers(1, 3))):
        body = []
        for _ in range(draw(st.integers(2, 5))):
            name = draw(st.sampled_from(sorted(EDGES)))
            body.append(Literal(Atom(name, tuple(draw(st.sampled_from(TERMS)) for _ in range(EDGES[name])))))
        bound = sorted({v for literal in body for v in literal.variables()}, key=str) or [Constant("a")]
        pick = st.sampled_from(bound)
        if draw(st.booleans()):
            body.append(Literal(Atom("e", (draw(pick), draw(pick))), positive=False))
        if draw(st.booleans()):
            body.insert(0, Distinct(draw(pick), draw(pick)))
        rules.append(Rule(Atom(f"h{i}", (draw(pick), draw(pick))), tuple(body)))
    return Program(tuple(rules), ())


def model(program, relations):
    """The true atoms of `relations`; what may be true is true, as in the circuit."""
    return stable_model(program, relations, lambda text: EXTERNAL.sub(r"\1 :- ", text))


@given(programs())
def test_every_relation_of_the_program_keeps_its_model(program):
    relations = {rule.head.relation for rule in program.rules}
    assert model(split_bodies(program).program, relations) == model(program, relations)


@given(programs())
def test_every_relation_keeps_its_model_when_views_that_change_are_large(program):
    now = Literal(Atom("true", (Constant("now"),)))
    changing = Program(tuple(Rule(rule.head, (*rule.body, now)) for rule in program.rules), ())
    relations = {rule.head.relation for rule in program.rules}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_bodies_module, "MIN_ROWS", 0)
        split = split_bodies(changing).program
    assert model(Program((*split.rules, Rule(now.atom)), ()), relations) == model(program, relations)


RULES = """
(role r) (<= terminal done) (<= done (true (p ?x)) (e ?x ?y) (e ?y ?z) (true (q ?z)) (f ?w))
(e a b) (e b c) (f a) (legal r noop) (<= (next (p ?x)) (true (p ?x))) (<= (next (q ?x)) (true (q ?x)))
(init (p a)) (init (q c)) (init (e a b)) (init (e b c)) (goal r 100)
"""


def test_no_rule_joins_more_than_it_must():
    program, _ = read_program(RULES.replace("(e ?x ?y) (e ?y ?z)", "(true (e ?x ?y)) (true (e ?y ?z))"))
    widths = [len({v for c in rule.body for v in c.variables()}) for rule in split_bodies(program).program.rules]
    assert max(widths) == 2


def test_equal_buckets_share_one_auxiliary_relation():
    text = RULES + "(<= (goal r 50) (true (p ?a)) (e ?a ?b) (e ?b ?c) (true (q ?c)) (f ?d))"
    program, _ = read_program(text)
    split = split_bodies(program).program
    auxiliaries = [rule for rule in split.rules if rule.head.name.startswith(AUXILIARY)]
    assert len(auxiliaries) == len({rule.body for rule in auxiliaries})
    before, _ = read_program(RULES)
    assert len(auxiliaries) == sum(rule.head.name.startswith(AUXILIARY) for rule in split_bodies(before).program.rules)


def test_a_negation_is_split_together_with_what_binds_it():
    program, _ = read_program(RULES + "(<= (goal r 0) (not (e ?x ?y)) (true (p ?x)) (true (q ?y)) (f ?z))")
    for rule in split_bodies(program).program.rules:
        bound = {v for c in rule.body if isinstance(c, Literal) and c.positive for v in c.variables()}
        assert bound.issuperset(v for c in rule.body for v in c.variables())
        assert bound.issuperset(rule.head.variables())


STEPS = """
(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(number 0) (<= (number ?y) (succ ?x ?y))
(<= (sum ?x 0 ?x) (number ?x))
(<= (sum ?x ?y ?z) (succ ?w ?y) (sum ?x ?w ?v) (succ ?v ?z))
(<= (next (at ?z)) (true (at ?x)) (sum ?x 1 ?z)) (legal r wait) (goal r 50) (<= terminal (true (at 3)))
"""


def test_variables_that_stated_facts_determine_stay_in_large_joins(monkeypatch):
    def split(text):
        return [
            str(rule)
            for rule in split_bodies(read_program(text)[0]).program.rules
            if rule.head.name.startswith(AUXILIARY)
        ]

    assert any("(succ " in rule and "(sum " in rule for rule in split(STEPS))  # a small join
    monkeypatch.setattr(split_bodies_module, "MIN_ROWS", 0)
    assert split(STEPS) == []
    assert split(STEPS + "(succ 0 2) (succ 1 3)") != []  # two follow each: a join has fewer rows without them
