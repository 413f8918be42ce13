"""A scheduled program computes what the circuit means, whatever rows it re-uses."""

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.graph import Graph
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes import play
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT, REST
from reasoner.lanes.loaded import Layout
from reasoner.lanes.portable.order import Gates, Order, pattern_of
from reasoner.lanes.rows import LANES, WORDS, aligned
from reasoner.rules.read import read_program

GAME = """
(role r) (role s) (role t) (init (c a)) (init (n 0)) (init (n 2)) (init (shown 0)) (init (turn a))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0)
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does r up)) (<= (next (n ?x)) (true (n ?x)) (does r (put ?x)))
(<= (next (n ?x)) (does s (put ?x)) (not (true (n ?x)))) (<= (next (c ?x)) (does t ?x))
(<= (next (shown ?y)) (true (shown ?x)) (succ ?x ?y))
(<= (legal r up) (true (turn a))) (<= (legal r (put ?x)) (true (n ?x))) (<= (legal r down) (true (turn b)))
(<= (legal s (put ?x)) (succ ?x ?y) (not (true (n ?x)))) (legal s skip) (legal t a) (<= (legal t b) (true (c a)))
(<= terminal (true (n 0)) (true (n 1)) (true (n 2))) (<= terminal (true (shown 3)))
(<= (goal r 100) (true (n 1))) (<= (goal r 30) (not (true (n 1)))) (goal s 50) (<= (goal t 10) (true (turn a)))
"""


@cache
def program():
    """Built by the first test that asks, and not while tests are collected, which each process does."""
    return build_circuit(read_program(GAME)[0], BuildLimits(), lambda _: None)


def meaning(circuit, bases, moves):
    """The values of all nodes of a circuit, gate by gate."""
    values = [0, *bases, *moves]
    for a, b in zip(circuit.left.tolist(), circuit.right.tolist(), strict=True):
        values.append((values[a >> 1] ^ (a & 1)) & (values[b >> 1] ^ (b & 1)))
    return lambda literal: values[literal >> 1] ^ (literal & 1)


def row_bits(values, literals):
    rows = values.reshape(-1, WORDS)[np.asarray(literals) >> 1]
    bits = np.unpackbits(rows.view(np.uint8), bitorder="little").reshape(-1, LANES)
    return bits ^ (np.asarray(literals) & 1)[:, None]


@given(st.integers(0, 2**32 - 1))
def test_every_section_computes_what_the_circuit_means_in_every_lane(seed):
    random = np.random.default_rng(seed)
    circuit, emitted = program().circuit, program().code.load()
    layout = Layout(len(circuit.bases), len(circuit.legal))
    values = aligned(emitted.rows)
    values[:] = random.integers(0, 2**64, len(values), np.uint64)  # stale rows must not matter
    values[:WORDS] = 0
    given_bits = row_bits(values, 2 * np.arange(layout.hold))
    held = row_bits(values, [2 * layout.hold])[0]
    lanes = play.lanes(program(), emitted)
    play.section(values, lanes, LEGAL)
    play.section(values, lanes, GOAL)
    legal, goals = row_bits(values, emitted.legal), row_bits(values, emitted.goals[:, 2])
    able, stop = row_bits(values, emitted.able), row_bits(values, [2 * layout.stop])[0]
    terminal = row_bits(values, [emitted.terminal])[0]
    play.section(values, lanes, REST)
    play.section(values, lanes, NEXT)
    following = row_bits(values, 2 * np.arange(1, 1 + layout.bases))
    for lane in random.integers(0, LANES, 5).tolist():
        bits = given_bits[1:, lane].tolist()
        value = meaning(circuit, bits[: layout.bases], bits[layout.bases :])
        assert legal[:, lane].tolist() == [value(x) for x in circuit.legal.tolist()]
        assert goals[:, lane].tolist() == [value(x) for x in circuit.goals[:, 2].tolist()]
        assert terminal[lane] == value(circuit.terminal)
        assert stop[lane] == (terminal[lane] or not able[:, lane].all())
        after = bits[: layout.bases] if held[lane] else [value(x) for x in circuit.next.tolist()]
        assert following[:, lane].tolist() == after


@given(st.integers(0, 2**32 - 1))
def test_an_order_computes_each_gate_once_and_after_what_it_reads(seed):
    random = np.random.default_rng(seed)
    graph = Graph(6, max_gates=1000)
    for _ in range(60):
        top = 2 * (graph.first_gate + len(graph.left))
        (graph.and_ if random.random() < 0.7 else graph.xor_)(*random.integers(0, top, 2).tolist())
    order = Order(Gates(graph.first_gate, graph.left, graph.right))
    nodes = graph.first_gate + np.arange(len(graph), dtype=np.int32)
    half = len(nodes) // 2
    order.section(nodes[:half])
    order.section(nodes[half:])
    assert sorted(order.gates) == nodes.tolist()
    place = {node: i for i, node in enumerate(order.gates)}
    for node in nodes:
        fan_in = (graph.left[node - graph.first_gate] >> 1, graph.right[node - graph.first_gate] >> 1)
        assert all(place[operand] < place[node] for operand in fan_in if operand >= graph.first_gate)
    for pattern, start, end in order.runs:
        for node in order.gates[start:end]:
            gate = node - graph.first_gate
            assert pattern_of(graph.left[gate], graph.right[gate]) == pattern
