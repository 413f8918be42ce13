"""Sums of literals as a circuit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.counting import total
from reasoner.circuit.graph import Graph

INPUTS = 9


def evaluated(graph: Graph, held: list[bool]) -> list[bool]:
    """The value of every node."""
    values = [False, *held]
    for left, right in zip(graph.left.tolist(), graph.right.tolist(), strict=True):
        a, b = values[left >> 1] ^ bool(left & 1), values[right >> 1] ^ bool(right & 1)
        values.append(a != b if left > right else a and b)
    return values


@given(
    st.lists(st.tuples(st.integers(2, 2 * INPUTS + 1), st.integers(1, 5)), max_size=12),
    st.lists(st.booleans(), min_size=INPUTS, max_size=INPUTS),
)
def test_a_sum_counts_each_true_literal_as_often_as_it_is_given(terms, held):
    graph = Graph(INPUTS, max_gates=10_000)
    literals, times = np.array(terms, np.int64).reshape(-1, 2).T
    bits = total(graph, literals.astype(np.int32), times.copy())
    values = evaluated(graph, held)

    def true(literal: int) -> bool:
        return values[literal >> 1] ^ bool(literal & 1)

    found = sum(true(bit) << place for place, bit in enumerate(bits.tolist()))
    assert found == sum(count for literal, count in terms if true(literal))
