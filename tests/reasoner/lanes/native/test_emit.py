"""Native code computes what the portable emitter's code computes, bit by bit."""

import pickle
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes import native
from reasoner.lanes.lane_graph import LEGAL, PREFER
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.rules.read import read_program
from tests.reasoner.lanes.native.graphs import Both, random_graph
from tests.reasoner.lanes.native.machines import disassembled, needs_native, on_each_target

pytestmark = [needs_native, on_each_target]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 3, 10, 60]))
@example(1633, 10)  # PREFER ends in a gate that is a random bit
def test_small_graphs_give_the_same_rows(target, seed, gates):
    random = np.random.default_rng(seed)
    Both(random_graph(random, gates), target, random).agree()


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([20, 100, 500]))
def test_graphs_with_more_values_alive_than_registers_give_the_same_rows(target, seed, near):
    random = np.random.default_rng(seed)
    graph = random_graph(random, 600, bases=40, moves=30, randoms=40, near=near)
    Both(graph, target, random).agree()


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_graphs_with_rows_beyond_all_windows_give_the_same_rows(target, seed):
    random = np.random.default_rng(seed)
    Both(random_graph(random, 3000, bases=3000, moves=2000, near=4000), target, random).agree(sweeps=1)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_section_touches_no_register_of_the_callers_and_returns_once(target, seed):
    random = np.random.default_rng(seed)
    code = native.emit(random_graph(random), target)
    for section in code.sections:
        found = disassembled(code.code[section.start : section.start + section.size], target)
        assert [name for name, _ in found].count("ret") == 1
        assert found[-1][0] == "ret"
        jumps = [name for name, _ in found if name.startswith(("call", "j"))]
        assert jumps == ["jne"] * (target.parts > 1)
        changed = {operands.split(",")[0] for name, operands in found if name == "lea"}
        saved = {operands for name, operands in found if name == "push"}
        assert changed & {"rbx", "rbp", "r12", "r13", "r14", "r15", "rsp"} <= saved


def test_code_travels_from_process_to_process(target):
    random = np.random.default_rng(1)
    code = native.emit(random_graph(random), target)
    again = pickle.loads(pickle.dumps(code))
    assert again.code == code.code
    assert again.load().entries[1] - again.load().entries[0] != 0


def test_what_legality_takes_does_not_depend_on_preferred_moves(target):
    game = Path(__file__).parents[4] / "games" / "connectFour.kif"
    circuit = build_circuit(read_program(game.read_text())[0], BuildLimits(), lambda _: None).circuit
    preferring, plain = (native.emit(lane_graph(circuit, decisive=decisive), target) for decisive in (True, False))
    assert preferring.sections[PREFER].tables > 0
    assert plain.sections[PREFER].tables == 0
    with_it, without = asdict(preferring.sections[LEGAL]), asdict(plain.sections[LEGAL])
    assert with_it | {"size": 0} == without | {"size": 0}  # rows lie elsewhere, which may take bytes more


def test_chained_conjunctions_take_a_table_for_two_operands(target):
    conjunction = _conjunction(101)
    assert native.emit(conjunction, target).sections[LEGAL].tables == 50 + 1  # and the row STOP


@pytest.mark.parametrize("count", [2, 3, 27, 28, 500])
def test_conjunctions_of_any_length_are_right(target, count):
    Both(_conjunction(count), target, np.random.default_rng(count)).agree()


def test_a_chain_of_alternating_gates_is_emitted_though_each_is_read_by_the_next_alone(target):
    graph, left, right = random_graph(np.random.default_rng(0), 0, bases=40, moves=2), [], []
    top = 2
    for i in range(20_000):
        left.append(2 * (i % 39 + 2))
        right.append(top ^ 1)
        top = 2 * (graph.first_gate + i)
    graph = _with_legal(graph, left, right, np.array([top, 1], np.int32))
    Both(graph, target, np.random.default_rng(0)).agree()


def _conjunction(count):
    """A graph whose only legal move needs all of `count` bases, as a balanced tree."""
    graph = random_graph(np.random.default_rng(0), 0, bases=count, moves=1)
    first, left, right, level = graph.first_gate, [], [], [2 * (i + 1) for i in range(count)]
    while len(level) > 1:
        pairs = [(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        made = []
        for a, b in pairs:
            left.append(min(a, b))
            right.append(max(a, b))
            made.append(2 * (first + len(left) - 1))
        level = made + level[2 * len(pairs) :]
    return _with_legal(graph, left, right, np.array(level, np.int32))


def _with_legal(graph, left, right, legal):
    """The graph with these gates in LEGAL, and nothing else."""
    return replace(
        graph,
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        preferred=np.full(len(legal), -1, np.int32),
        won=0,
        sections=(np.arange(len(left), dtype=np.int32) + graph.first_gate, *[np.zeros(0, np.int32)] * 5),
        legal=legal,
        able=np.zeros(1, np.int32),
        terminal=0,
        stop=2,
        goals=np.zeros((0, 3), np.int32),
        chosen=np.full(len(legal), -1, np.int32),
        next=2 * np.arange(1, 1 + len(graph.next), dtype=np.int32),
    )
