"""Logical features: counts of distinct solutions, held against enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.errors import RulesError, StateError, TermError
from reasoner.language.features import read_feature
from reasoner.language.literals import Distinct
from reasoner.language.parse import read_conjunction
from tests.naive import NaiveMachine, read, show, substitute
from tests.reasoner.relational.programs import CONSTANTS, PRELUDE

BOARD = """
(role x) (role o) (init (cell 1 1 x)) (init (cell 1 2 o)) (init (cell 2 2 (king x))) (init (score 3))
(<= (legal ?r (mark ?m ?n)) (role ?r) (index ?m) (index ?n)) (index 1) (index 2) (index 3)
(<= (next (cell ?m ?n ?r)) (does ?r (mark ?m ?n))) (<= terminal (true (score 0))) (goal x 50) (goal o 50)
"""
THEORY = "(<= (owns ?p ?m ?n) (true (cell ?m ?n ?p))) (<= (row ?m) (owns ?p ?m ?n))"


@pytest.fixture(scope="module")
def board():
    return load(BOARD, "relational", theory=THEORY)


@pytest.mark.parametrize(
    ("conjunction", "counted", "value"),
    [
        ("(true (cell ?m ?n ?p))", ["?m"], 2),
        ("(true (cell ?m ?n ?p))", ["?m", "?n"], 3),
        ("(true (cell ?m ?m ?p))", ["?p"], 2),
        ("(true (cell ?m ?n (king ?p)))", ["?p"], 1),
        ("(owns ?p ?m ?n) (role ?p)", ["?p"], 2),
        ("(owns ?p ?m ?n) (index ?i)", ["?m", "?i"], 6),
        ("(owns ?p ?m ?n) (index ?i)", [], 1),
        ("(owns ?p ?m ?n) (index ?i) (true (score 4))", ["?m", "?i"], 0),
        ("(index ?a) (index ?b) (distinct ?a ?b) (not (row ?a))", ["?a", "?b"], 2),
        ("(legal x ?move)", ["?move"], 9),
        ("(true ?fact)", ["?fact"], 4),
        ("(true (nothing ?x))", ["?x"], 0),
    ],
)
def test_a_feature_counts_distinct_solutions(board, conjunction, counted, value):
    assert board.count(board.initial(), conjunction, counted) == value


def test_groups_are_conditions_that_share_variables():
    feature = read_feature("(p ?a ?b) (q ?c) (r ?b ?d) (s) (distinct ?c ?c)", ["?a", "?c"])
    assert [[str(c) for c in group.conditions] for group in feature.groups] == [
        ["(p ?a ?b)", "(r ?b ?d)"],
        ["s"],
        ["(q ?c)", "(distinct ?c ?c)"],
    ]


@pytest.mark.parametrize(
    ("text", "counted", "error", "said"),
    [
        *((text, [], StateError, "not a property of a state") for text in ("(next (cell 1 1 x))", "(init ?x)")),
        ("(does ?r ?m)", [], StateError, "not a property of a state"),
        ("(row ?m)", ["?z"], TermError, r"\?z is not a variable"),
        ("(rows ?m)", [], StateError, "did you mean"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_the_reason(board, text, counted, error, said):
    with pytest.raises(error, match=said):
        board.count(board.initial(), text, counted)


def test_a_theory_may_not_add_to_the_rulesheet_s_relations():
    with pytest.raises(RulesError, match="theory"):
        load(BOARD, "relational", theory="(index 4)")
    with pytest.raises(RulesError, match="theory"):
        load(BOARD, "relational", theory="(<= (legal ?r wait) (role ?r))")


def test_both_machines_count_alike_many_features_in_many_states():
    circuit, relational = load(BOARD, "circuit", theory=THEORY), load(BOARD, "relational", theory=THEORY)
    features = [("(owns ?p ?m ?n)", ["?m"]), ("(true (cell ?m ?n ?p)) (role ?p)", ["?m", "?n"])]
    found = []
    for machine in (circuit, relational):
        first = machine.initial()
        states = [first, machine.next(first, ["(mark 1 3)", "(mark 3 3)"]), first]
        found.append(machine.counts(states, features))
    np.testing.assert_array_equal(found[0], found[1])
    assert found[0].tolist() == [[2, 2], [2, 2], [2, 2]]


VARIABLES = ("?x", "?y", "?z", "?w")


@st.composite
def conjunctions(draw):
    """Literals over the facts e/1 and f/2, at least one of them positive, and some of their variables."""
    terms = st.one_of(st.sampled_from(VARIABLES), st.sampled_from(CONSTANTS))
    literals = []
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from("ef"))
        literals.append(f"({name} {' '.join(draw(terms) for _ in range(1 + (name == 'f')))})")
    bound = sorted({word.strip("()") for literal in literals for word in literal.split() if word.startswith("?")})
    if bound and draw(st.booleans()):
        literals.append(f"(not (f {draw(st.sampled_from(bound))} {draw(st.sampled_from(bound))}))")
    if bound and draw(st.booleans()):
        literals.append(f"(distinct {draw(st.sampled_from(bound))} {draw(st.sampled_from((*bound, 'a')))})")
    return " ".join(literals), tuple(name for name in bound if draw(st.booleans()))


def enumerated(facts, text, counted):
    """The count by trying every value of every variable."""
    conditions = read_conjunction(text)
    names = sorted({str(v) for c in conditions for v in c.variables()})
    found = set()
    for values in product(CONSTANTS, repeat=len(names)):
        bindings = dict(zip(names, values, strict=True))
        holds = True
        for condition in conditions:
            if isinstance(condition, Distinct):
                holds &= bindings.get(str(condition.left), str(condition.left)) != bindings.get(
                    str(condition.right), str(condition.right)
                )
            else:
                atom = substitute(read(str(condition.atom))[0], bindings)
                holds &= (show(atom) in facts) == condition.positive
        if holds:
            found.add(tuple(bindings[name] for name in counted))
    return len(found)


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.sampled_from(CONSTANTS), min_size=1),
    st.sets(st.tuples(st.sampled_from(CONSTANTS), st.sampled_from(CONSTANTS)), min_size=1, max_size=6),
    st.lists(conjunctions(), min_size=1, max_size=4),
)
def test_random_features_have_the_count_of_enumeration(singles, pairs, features):
    facts = {f"(e {a})" for a in singles} | {f"(f {a} {b})" for a, b in pairs}
    machine = load(PRELUDE + " ".join(sorted(facts)), "relational")
    found = machine.counts([machine.initial()], features)[0].tolist()
    assert found == [enumerated(facts, text, counted) for text, counted in features]
    assert NaiveMachine(PRELUDE).roles == ("me",)


@pytest.mark.parametrize("theory", [5, b"(index 4)", ("(index 4)",)])
def test_a_theory_that_is_no_text_is_refused(theory: object):
    with pytest.raises(TypeError, match="a theory is a text of rules, not "):
        load(BOARD, "relational", theory=theory)  # type: ignore[arg-type]  # the fault that is tested
