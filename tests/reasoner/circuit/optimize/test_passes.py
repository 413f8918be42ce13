"""Every rewriting of a graph keeps what its outputs compute, and finds what it is there for."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.constant_folding import without_constants
from reasoner.circuit.graph import GATES, Graph
from reasoner.circuit.netlist import build
from reasoner.circuit.optimize import passes
from reasoner.circuit.optimize import reverse_paths as reverse_paths_module
from reasoner.circuit.optimize.absorption import absorb
from reasoner.circuit.optimize.common_cubes import share
from reasoner.circuit.optimize.common_factors import factor
from reasoner.circuit.optimize.complement_sums import ExclusiveGroup, use_groups
from reasoner.circuit.optimize.context_resubstitution import context_resubstitution
from reasoner.circuit.optimize.passes import Pass, optimize
from reasoner.circuit.optimize.reverse_paths import reverse_paths
from reasoner.circuit.optimize.wide_gates import Logic, gates
from reasoner.ground.collect import ground
from reasoner.rewrite.passes import rewrite
from reasoner.rules.read import read_program
from tests.reasoner.circuit.optimize.logics import INPUTS, logics, outputs, rows


@pytest.mark.parametrize("rewriting", [factor, share, absorb, context_resubstitution])
@given(logic=logics())
@settings(max_examples=60)
def test_outputs_are_kept_for_all_inputs(rewriting, logic):
    assert np.array_equal(outputs(rewriting(logic), rows()), outputs(logic, rows()))


@given(logics(), st.data())
@settings(max_examples=60)
def test_turning_round_keeps_the_outputs(logic, data):
    chosen = np.array([data.draw(st.booleans()) for _ in logic.outputs])
    assert np.array_equal(outputs(reverse_paths(logic, chosen), rows()), outputs(logic, rows()))


@given(logics(), st.booleans(), st.integers(2, INPUTS))
@settings(max_examples=60)
def test_groups_are_used_only_where_they_hold(logic, exactly, members):
    group = ExclusiveGroup(tuple(2 * (i + 1) for i in range(members)), exactly)
    held = rows()[:members].sum(axis=0)
    allowed = rows()[:, held == 1 if exactly else held <= 1]
    assert np.array_equal(outputs(use_groups(logic, [group]), allowed), outputs(logic, allowed))


def logic_of(inputs, make):
    graph = Graph(inputs, max_gates=100_000)
    return Logic(graph, np.array(make(graph, [graph.input(i) for i in range(inputs)]), np.int32))


def test_a_common_factor_is_taken_out():
    logic = logic_of(9, lambda g, x: [g.any(g.and_(x[0], x[i]) for i in range(1, 9))])
    assert gates(logic) == 15
    assert gates(factor(logic)) == 8


def test_a_leaf_simplifies_the_terms_beside_it():
    logic = logic_of(3, lambda g, x: [g.all([x[0], g.all([x[0], x[1]]) ^ 1, g.all([x[0] ^ 1, x[2]]) ^ 1])])
    assert gates(factor(logic)) == 1


def test_what_two_long_gates_share_is_computed_once():
    logic = logic_of(30, lambda g, x: [g.any([*x[:20:2], *x[20:25]]), g.any([*x[:20:2], *x[25:]])])
    assert gates(share(logic)) == 9 + 5 + 5


def test_a_pair_that_many_short_gates_hold_is_one_gate():
    logic = logic_of(12, lambda g, x: [g.all([x[0], x[i], x[11]]) for i in range(1, 11)])
    assert gates(share(logic)) == 11


def test_a_term_that_implies_another_is_dropped():
    def make(graph, x):
        blocked = [graph.any([x[i], x[i + 1]]) for i in (2, 4)]
        near = [graph.and_(x[0], x[2] ^ 1), graph.and_(x[1], x[2] ^ 1)]
        far = [graph.all([x[0], blocked[0] ^ 1, x[4] ^ 1]), graph.all([x[1], blocked[0] ^ 1, x[4] ^ 1])]
        return [graph.any([*near, *far])]

    assert gates(absorb(logic_of(6, make))) == 3


def test_a_move_is_asked_for_as_a_legal_move():
    def make(graph, x):
        moves = [graph.all([x[1], x[i], x[i + 1]]) for i in range(2, 9)]
        legal = [graph.and_(x[0], move) for move in moves]
        return [*legal, graph.and_(x[0], graph.any(moves) ^ 1)]

    logic = logic_of(10, make)
    assert np.array_equal(outputs(context_resubstitution(logic), some_rows(10)), outputs(logic, some_rows(10)))
    assert gates(share(context_resubstitution(logic))) < gates(share(logic))


def test_two_leaves_are_not_both_asked_for_under_each_other():
    def make(graph, x):
        d, t = graph.and_(x[0], x[1]), graph.and_(x[2], x[3])
        return [graph.and_(d, t ^ 1), graph.and_(t, d ^ 1), graph.all([d ^ 1, t ^ 1, x[4]])]

    logic = logic_of(5, make)
    assert np.array_equal(outputs(context_resubstitution(logic), some_rows(5)), outputs(logic, some_rows(5)))


def some_rows(inputs):
    return np.random.default_rng(3).integers(0, 2, (inputs, 512)).astype(bool)


def test_all_members_but_one_are_said_by_that_one():
    logic = logic_of(20, lambda g, x: [g.any(m for m in x if m != x[i]) for i in range(20)])
    group = ExclusiveGroup(tuple(2 * (i + 1) for i in range(20)), exactly=True)
    assert gates(use_groups(logic, [group])) == 0


def test_a_condition_that_most_members_meet_is_said_by_those_that_may_not():
    def make(graph, x):
        fails = graph.and_(x[20], x[21])
        return [graph.any([*x[:19], graph.and_(x[19], fails ^ 1)])]

    logic = logic_of(22, make)
    group = ExclusiveGroup(tuple(2 * (i + 1) for i in range(20)), exactly=True)
    assert gates(use_groups(logic, [group])) == 2


def tally(cells):
    """Whether more of the cells are white than black, counted as a rulesheet would: all tallies of every part."""

    def make(graph, x):
        white, black = x[:cells], x[cells:]
        counts = {(0, 0): 1}
        for w, b in zip(white, black, strict=True):
            terms: dict[tuple[int, int], list[int]] = {}
            for (i, k), before in counts.items():
                terms.setdefault((i + 1, k), []).append(graph.and_(w, before))
                terms.setdefault((i, k + 1), []).append(graph.and_(b, before))
                terms.setdefault((i, k), []).append(graph.all([w ^ 1, b ^ 1, before]))
            counts = {count: graph.any(several) for count, several in terms.items()}
        return [graph.any(held for (i, k), held in counts.items() if i > k)]

    return logic_of(2 * cells, make)


def test_comparing_two_tallies_takes_a_square_of_gates_and_not_a_cube():
    logic = tally(24)
    turned = reverse_paths(logic, np.array([True]))
    assert gates(logic) > 9_000
    assert gates(turned) < 2_500
    inputs = np.random.default_rng(1).integers(0, 2, (48, 64)).astype(bool)
    assert np.array_equal(outputs(turned, inputs), outputs(logic, inputs))


def test_outputs_that_are_not_chosen_are_left_alone():
    logic = tally(24)
    assert gates(reverse_paths(logic, np.array([False]))) == gates(logic)


def test_a_pass_that_brought_little_in_a_large_graph_is_not_run_again(monkeypatch):
    calls = []
    idle = Pass(lambda logic, _: calls.append(1) or logic)
    program, _ = read_program(SMALL)
    netlist = without_constants(build(ground(rewrite(program).program, 10_000), program, 10_000))
    optimize(netlist, passes=[idle, idle])
    assert len(calls) == 2
    monkeypatch.setattr(passes, "MIN_LARGE_GATES", 0)
    optimize(netlist, passes=[idle, idle])
    assert len(calls) == 3


def test_groups_are_found_only_where_a_pass_needs_them():
    asked = []
    program, _ = read_program(SMALL)
    netlist = without_constants(build(ground(rewrite(program).program, 10_000), program, 10_000))
    groups = lambda: asked.append("groups") or []  # noqa: E731
    optimize(netlist, groups, [Pass(lambda logic, _: logic)])
    assert asked == []
    optimize(netlist, groups)
    assert asked == ["groups"]


def test_a_graph_without_constants_is_not_rebuilt():
    program, _ = read_program(SMALL)
    netlist = without_constants(build(ground(rewrite(program).program, 10_000), program, 10_000))
    assert without_constants(netlist).graph is netlist.graph


SMALL = """
(role r) (init (p a)) (<= (legal r (go ?x)) (d ?x) (not (true (p ?x)))) (d a) (d b) (d c)
(<= (next (p ?x)) (does r (go ?x))) (<= terminal (true (p a)) (true (p b))) (<= (goal r 100) (true (p c)))
"""


def test_a_reversal_stops_at_its_limit_of_gates_even_within_one_large_or(monkeypatch):
    """The conjunctions of the terms are rebuilt with all their literals, which may take far more gates than before."""

    def make(graph, x):
        random = np.random.default_rng(1)
        shared = graph.all(x[:240:2])
        terms = [graph.and_(shared, graph.all(random.choice(x[1:240:2], 8, replace=False))) for _ in range(120)]
        other = graph.any([graph.and_(x[240], x[241]), x[242]])
        return [graph.any([graph.and_(graph.any(terms), x[243]), graph.and_(other, x[244])])]

    def limited(store, *given):
        results.append(reversed_(store, *given))
        assert store.sizes[GATES] <= given[-1]
        return results[-1]

    results: list[int] = []
    reversed_ = reverse_paths_module._reversed
    monkeypatch.setattr(reverse_paths_module, "_reversed", limited)
    logic = logic_of(245, make)
    assert reverse_paths(logic, np.array([True])) is logic
    assert results == [-1]


def test_terms_that_share_thousands_of_literals_do_not_overflow_the_stack():
    """Each common literal is factored out by a call within a call; without a limit this ended the process."""

    def make(graph, x):
        return [graph.any(reduce(graph.and_, [own, *x[2:]]) for own in x[:2])]

    logic = logic_of(5_000, make)
    assert gates(factor(logic)) < 0.6 * gates(logic)
    inputs = np.ones((5_000, 6), bool)
    inputs[[0, 1, 1, 2, 2_500, 4_999], [0, 0, 1, 2, 3, 4]] = False
    assert outputs(factor(logic), inputs).tolist() == [[False, True, False, False, False, True]]
