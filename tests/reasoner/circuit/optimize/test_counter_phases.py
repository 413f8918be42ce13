"""Gates over the step counter are one where they are equal in all phases, and gone where they say nothing."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.graph import FALSE, Graph
from reasoner.circuit.optimize.counter_phases import use_step_counter
from reasoner.circuit.optimize.wide_gates import Logic, gates
from reasoner.circuit.step_counter import StepCounter
from tests.reasoner.circuit.optimize.logics import INPUTS, logics, outputs, rows


@given(logics(), st.integers(1, INPUTS), st.sets(st.integers(0, 2**INPUTS - 1), min_size=1, max_size=20))
@settings(max_examples=80)
def test_outputs_are_kept_in_every_phase(logic, bases, phases):
    counter = StepCounter(
        np.arange(bases), np.array([[phase >> i & 1 for i in range(bases)] for phase in phases], bool)
    )
    shown = {tuple(phase) for phase in counter.phases.tolist()}
    allowed = rows()[:, [tuple(row) in shown for row in rows()[:bases].T.tolist()]]
    shorter = use_step_counter(logic, counter)
    assert np.array_equal(outputs(shorter, allowed), outputs(logic, allowed))
    assert gates(shorter) <= gates(logic)


RED, BLUE, FIRST, SECOND = range(4)
TURNS = StepCounter(np.arange(4), np.array([[1, 0, 1, 0], [0, 1, 0, 1]], bool))
"""Whose turn it is, and the parity of the step."""


def gates_of(make):
    graph = Graph(6, max_gates=100)
    logic = use_step_counter(Logic(graph, np.array(make(graph, [graph.input(i) for i in range(6)]), np.int32)), TURNS)
    return gates(logic), logic.outputs.tolist()


def test_what_excludes_each_other_is_false():
    assert gates_of(lambda g, x: [g.all([x[RED], x[4], x[SECOND]]), g.and_(x[FIRST], x[BLUE])]) == (0, [FALSE, FALSE])


def test_what_another_signal_implies_is_dropped():
    assert gates_of(lambda g, x: [g.all([x[RED], x[4], x[5], x[BLUE] ^ 1])])[0] == 2


def test_a_gate_with_the_signal_of_an_input_is_that_input():
    count, found = gates_of(lambda g, x: [g.and_(x[RED], x[FIRST]), g.and_(x[BLUE], x[SECOND]) ^ 1])
    assert (count, found) == (0, [2 * (RED + 1), 2 * (BLUE + 1) ^ 1])
