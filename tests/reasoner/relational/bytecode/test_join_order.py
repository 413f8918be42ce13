"""What is joined first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.parse import read_conjunction, read_term
from reasoner.language.terms import Variable
from reasoner.relational.bytecode.join_order import _distinct, greedy_order
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program


def order(text, sizes, **options):
    """The relations' names in the order chosen when each literal costs its relation's size."""
    body = read_conjunction(text)
    chosen = greedy_order(body, set(), lambda p, _: (sizes[body[p].atom.name],), **options)
    return [str(body[p]) for p in chosen]


def test_the_cheapest_literal_goes_first():
    assert order("(big ?x) (small ?x)", {"big": 9, "small": 1}) == ["(small ?x)", "(big ?x)"]


def test_a_test_goes_as_soon_as_its_variables_are_bound():
    text = "(not (r ?x ?y)) (a ?x) (distinct ?x 1) (b ?y) (c ?z)"
    assert order(text, {"a": 1, "b": 2, "c": 3}) == ["(a ?x)", "(distinct ?x 1)", "(b ?y)", "(not (r ?x ?y))", "(c ?z)"]


def test_the_literal_that_reads_new_rows_goes_first():
    assert order("(small ?x) (big ?x)", {"big": 9, "small": 1}, first=1) == ["(big ?x)", "(small ?x)"]


def test_a_test_of_variables_that_nothing_binds_is_refused():
    body = read_conjunction("(a ?x) (not (r ?x))")[1:]
    with pytest.raises(ValueError, match=r"\?x"):
        greedy_order(body, set(), lambda _position, _bound: (0.0,))
    assert greedy_order(body, {Variable("x")}, lambda _position, _bound: (0.0,)) == [0]


def test_a_body_of_many_literals_is_joined_through_what_they_share():
    """Written last comes what connects the two ends; joined as written it would be a product of 90,000 rows."""
    cells = " ".join(f"(left {i} x{i}) (right y{i} {i}) (link x{i} y{(i + 1) % 300})" for i in range(300))
    text = f"""(role me) (legal me wait) (goal me 0) {cells}
    (<= terminal (left ?a ?x) (right ?y ?b) (link ?x ?y) (true (at ?a ?b)))
    (<= (pair ?a ?b) (left ?a ?x) (right ?y ?b) (link ?x ?y))"""
    machine = RelationalMachine(read_program(text)[0])
    assert machine.terminal(machine.state(map(read_term, ["(at 5 6)"])))
    assert not machine.terminal(machine.state(map(read_term, ["(at 5 5)"])))
    assert len(machine.relation(("pair", 2))) == 300


@given(st.lists(st.tuples(*[st.integers(0, 2**31 - 1) | st.integers(0, 3)] * 3), min_size=1))
def test_rows_are_counted_once(rows):
    assert _distinct(np.array(rows, np.int32)) == len(set(rows))
