"""Sections of a lane graph are run apart: each reads LEGAL and itself, whatever a circuit's stages share."""

from __future__ import annotations

from hypothesis import given

from reasoner.circuit.circuit import compile_netlist
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, REST
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.rules.read import read_program
from tests.reasoner.circuit.test_circuit import netlists

GAME = """
(role r) (init (n 0)) (legal r up) (<= (legal r (put ?x)) (succ ?x ?y))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0)
(<= (next (n ?x)) (does r (put ?x))) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does r up))
(<= both (true (n 0)) (true (n 1)) (true (n 2))) (<= (goal r 100) both) (<= (goal r 0) (not both))
(<= (next shown) both (true (n 3))) (<= terminal (true (n 3)))
"""
"""What makes the goal makes `shown`, too, which nothing else asks for."""


def reads_what_it_may(graph):
    for section in (LEGAL, GOAL, CHOOSE, NEXT, REST):
        may = {*graph.sections[LEGAL].tolist(), *graph.sections[section].tolist()}
        gates = graph.sections[section] - graph.first_gate
        read = {literal >> 1 for side in (graph.left, graph.right) for literal in side[gates].tolist()}
        assert {node for node in read if node >= graph.first_gate} <= may


@given(netlists())
def test_a_section_reads_no_gates_but_those_of_legal_and_its_own(netlist):
    reads_what_it_may(lane_graph(compile_netlist(netlist), decisive=False))


def test_what_a_fact_that_is_only_shown_has_in_common_with_goals_is_copied():
    circuit = build_circuit(read_program(GAME)[0], BuildLimits(), lambda _: None).circuit
    legal, goals, following, end = circuit.stages
    first = 1 + len(circuit.bases) + len(circuit.legal)
    read = {literal >> 1 for side in (circuit.left, circuit.right) for literal in side[following:end].tolist()}
    assert read & set(range(first + legal, first + goals))
    reads_what_it_may(lane_graph(circuit, decisive=False))
