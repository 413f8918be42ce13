"""The and-inverter graph keeps the meaning of what is built in it."""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.graph import FALSE, TRUE, Graph, sort_distinct
from reasoner.errors import LimitError

INPUTS = 4


def formulas():
    leaf = st.integers(0, INPUTS - 1) | st.booleans()
    return st.recursive(
        leaf,
        lambda inner: (
            st.tuples(st.sampled_from(["and", "or", "xor"]), st.lists(inner, max_size=4))
            | st.tuples(st.just("not"), st.lists(inner, min_size=1, max_size=1))
        ),
    )


def built(formula, graph):
    if isinstance(formula, bool):
        return TRUE if formula else FALSE
    if isinstance(formula, int):
        return graph.input(formula)
    operator, parts = formula
    literals = [built(part, graph) for part in parts]
    if operator == "not":
        return literals[0] ^ 1
    if operator == "xor":
        return functools.reduce(graph.xor_, literals, FALSE)
    return graph.all(literals) if operator == "and" else graph.any(literals)


def meant(formula, inputs):
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        return inputs[formula]
    operator, parts = formula
    values = [meant(part, inputs) for part in parts]
    if operator == "xor":
        return sum(values) % 2 == 1
    return not values[0] if operator == "not" else all(values) if operator == "and" else any(values)


def evaluated(literal, graph, inputs):
    values = [False, *inputs]
    for a, b in zip(graph.left, graph.right, strict=True):
        x, y = values[a >> 1] ^ (a & 1), values[b >> 1] ^ (b & 1)
        values.append(x ^ y if a > b else x & y)
    return bool(values[literal >> 1] ^ (literal & 1))


@given(formulas())
def test_a_formula_means_the_same_in_the_graph(formula):
    graph = Graph(INPUTS, max_gates=1000)
    literal = built(formula, graph)
    for row in range(2**INPUTS):
        inputs = [bool(row >> i & 1) for i in range(INPUTS)]
        assert evaluated(literal, graph, inputs) == meant(formula, inputs)


def test_equal_conjunctions_are_one_gate():
    graph = Graph(3, max_gates=10)
    a, b, c = map(graph.input, range(3))
    assert graph.all([a, b, c]) == graph.all([c, a, b, a])
    assert len(graph.left) == 2


def test_conjunctions_in_twos_are_those_made_one_by_one():
    graph = Graph(3, max_gates=10)
    left, right = np.array([2, 4, 2, 3], np.int32), np.array([4, 2, 7, 2], np.int32)
    made = graph.in_twos(left, right).tolist()
    assert made == [graph.and_(a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    assert len(graph) == 2


def test_a_contradiction_costs_no_gate():
    graph = Graph(2, max_gates=10)
    a = graph.input(0)
    assert graph.and_(a, a ^ 1) == FALSE
    assert graph.any([a, a ^ 1]) == TRUE
    assert len(graph) == 0


@given(st.lists(st.integers(0, 2**31 - 1), max_size=200))
def test_literals_are_sorted_and_distinct(literals):
    row = np.array(literals, np.int32)
    count = sort_distinct(row)
    assert row[:count].tolist() == sorted(set(literals))


def test_the_limit_of_gates_is_kept():
    graph = Graph(8, max_gates=3)
    with pytest.raises(LimitError) as caught:
        graph.all(map(graph.input, range(8)))
    assert caught.value.limit == "gates"
