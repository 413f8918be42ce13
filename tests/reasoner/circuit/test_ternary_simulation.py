"""What can be true in play is the least fixpoint of ternary simulation, however many steps it takes to grow."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.graph import Graph
from reasoner.circuit.ternary_simulation import ROUNDS, reachable
from reasoner.ground.terms import GroundTerms
from tests.reasoner.circuit.test_circuit import BASES, TERMS, netlists


def slow_reachable(netlist):
    """All gates and inputs again and again until nothing changes."""
    graph, bases = netlist.graph, len(netlist.bases)
    first = graph.first_gate
    can = np.zeros(2 * (first + len(graph)), bool)
    can[1] = True
    for i in range(bases):
        can[2 * (i + 1) + (not netlist.initial[i])] = True
    can[2 * bases + 3 : 2 * first : 2] = True
    before = None
    while before is None or (can != before).any():
        before = can.copy()
        for out, (a, b) in enumerate(zip(graph.left, graph.right, strict=True), start=first):
            can[2 * out], can[2 * out + 1] = can[a] and can[b], can[a ^ 1] or can[b ^ 1]
        for node, literal in enumerate((*netlist.next, *netlist.legal), start=1):
            can[2 * node] |= can[literal]
            can[2 * node + 1] |= node <= bases and can[literal ^ 1]
    return can


@given(netlists())
def test_what_can_be_true_is_the_least_fixpoint(netlist):
    assert reachable(netlist).tolist() == slow_reachable(netlist).tolist()


@given(netlists(), st.integers(1, 6 * ROUNDS), st.data())
def test_facts_that_follow_each_other_for_many_steps_grow_to_the_same_fixpoint(netlist, length, data):
    order = data.draw(st.permutations(range(length)))  # base order[i + 1] holds where order[i] did, and a move was made
    graph = Graph(length + len(netlist.moves), max_gates=1000)
    following = np.zeros(length, np.int32)
    for one, other in pairwise(order):
        following[other] = graph.and_(2 * (1 + one), 2 * (1 + length + data.draw(st.integers(0, 2))))
    legal = np.array([1, 2 * (1 + order[-1]), 2 * (1 + order[length // 2])], np.int32)
    netlist = replace(
        netlist,
        graph=graph,
        bases=GroundTerms(TERMS, np.arange(length, dtype=np.int32) % BASES),
        initial=np.arange(length) == order[0],
        next=following,
        legal=legal,
        goals=netlist.goals[:0],
        terminal=0,
    )
    assert reachable(netlist).tolist() == slow_reachable(netlist).tolist()
