"""Facts that are proven to exclude each other never hold together in play."""

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit import exclusion, implications
from reasoner.circuit.constant_folding import without_constants
from reasoner.circuit.exclusion import exclusive_facts
from reasoner.circuit.graph import Graph
from reasoner.circuit.implications import implied_bases, legality_implies
from reasoner.circuit.netlist import build
from reasoner.compilation.warm import smallest
from reasoner.ground.collect import ground
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.keys import known_groups
from reasoner.rewrite.passes import rewrite
from reasoner.rules.program import Atom
from reasoner.rules.read import read_program
from tests.reasoner.circuit.optimize.logics import INPUTS, logics, outputs, rows

BOARD = """
(role r) (role s) (init (cell 1 a)) (init (cell 2 b)) (init (control r))
(square 1) (square 2) (square 3) (piece a) (piece b) (owner a r) (owner b s)
(<= (legal ?r (move ?p ?x ?y)) {turn} {own} (true (cell ?x ?p)) (piece ?p) (square ?y) (distinct ?x ?y) {empty})
(<= (legal ?r noop) (role ?r) {other})
(<= (taken ?x) (does ?r (move ?p ?y ?x))) (<= (taken ?x) (does ?r (move ?p ?x ?y)))
(<= (occupied ?x) (true (cell ?x ?p)))
(<= (next (cell ?y ?p)) (does ?r (move ?p ?x ?y)))
(<= (next (cell ?x ?p)) (true (cell ?x ?p)) {untouched})
(<= (next (control r)) (true (control s))) (<= (next (control s)) (true (control r)))
(<= (goal ?r 50) (role ?r)) (<= terminal (true (cell 4 a)))
"""

SOUND = {
    "turn": "(true (control ?r))",
    "own": "",
    "empty": "",
    "other": "(not (true (control ?r)))",
    "untouched": "(not (taken ?x))",
}


def exclusive(rules):
    program, _ = read_program(rules)
    netlist = without_constants(build(ground(rewrite(program).program, 10_000), program, 10_000))
    groups = exclusive_facts(netlist, known_to_be_single(netlist), lambda: legality_implies(netlist))
    return [{str(netlist.bases[base]) for base in group} for group in groups]


def known_to_be_single(netlist):
    return [tuple(i for i, fact in enumerate(netlist.bases) if str(fact).startswith("(control"))]


def test_a_cell_holds_one_piece():
    groups = exclusive(BOARD.format(**SOUND))
    for square in (1, 2, 3):
        assert {f"(cell {square} a)", f"(cell {square} b)"} in groups


def test_a_cell_from_which_nothing_is_taken_may_hold_two():
    groups = exclusive(BOARD.format(**SOUND | {"untouched": ""}))
    assert not any(len(group) > 1 for group in groups)


def test_a_cell_to_which_both_may_move_at_once_may_hold_two():
    groups = exclusive(BOARD.format(**SOUND | {"turn": "(owner ?p ?r)", "other": ""}))
    assert {"(cell 3 a)", "(cell 3 b)"} not in groups


def test_the_game_that_warms_builds_up_has_facts_to_ask_this_of():
    netlist = without_constants(build(ground(rewrite(smallest()).program, 10_000), smallest(), 10_000))
    known = known_groups(rewrite(smallest()).keys.facts, (Atom("true", (fact,)) for fact in netlist.bases))
    assert exclusive_facts(netlist, known, lambda: legality_implies(netlist))


def test_what_legality_implies_is_not_asked_where_too_many_gates_are_under_it(monkeypatch):
    def never():
        raise AssertionError

    netlist = without_constants(build(ground(rewrite(smallest()).program, 10_000), smallest(), 10_000))
    monkeypatch.setattr(exclusion, "MAX_STEPS", 1)
    assert exclusive_facts(netlist, [], never) == []


PARTS = {
    "turn": ["(true (control ?r))", "(role ?r)", "(owner ?p ?r)"],
    "own": ["", "(owner ?p ?r)"],
    "empty": ["", "(not (occupied ?y))"],
    "other": ["(not (true (control ?r)))", ""],
    "untouched": ["(not (taken ?x))", "", "(not (does r (move ?p ?x 3)))"],
}


@given(st.fixed_dictionaries({name: st.sampled_from(parts) for name, parts in PARTS.items()}), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_no_state_of_random_play_shows_two_facts_of_a_group(parts, seed):
    rules = BOARD.format(**parts)
    groups, random = exclusive(rules), Random(seed)
    machine = RelationalMachine(read_program(rules)[0])
    for _ in range(10):
        state = machine.initial()
        for _ in range(8):
            facts = {str(fact) for fact in machine.facts(state)}
            assert all(len(group & facts) <= 1 for group in groups)
            legal = machine.legal(state)
            if machine.terminal(state) or not all(legal):
                break
            state = machine.next(state, [random.choice(moves) for moves in legal])


@given(logics())
def test_a_literal_is_true_only_where_what_it_implies_holds(logic):
    graph, inputs = logic.graph, rows()
    values = outputs(logic, inputs)
    implied = implied_bases(graph.left, graph.right, graph.first_gate, INPUTS, logic.outputs)
    for row, words in zip(values, implied[:, :, 0].tolist(), strict=True):
        for base in range(INPUTS):
            assert not (words[0] >> base & 1 and (row & inputs[base]).any())
            assert not (words[1] >> base & 1 and (row & ~inputs[base]).any())
        assert max(words) >> INPUTS == 0


def test_every_way_to_be_true_is_asked_for_what_it_implies():
    graph = Graph(4, max_gates=10)
    x = [graph.input(i) for i in range(4)]
    either = graph.any((graph.and_(x[0], x[1]), graph.all((x[0], x[2], x[3] ^ 1))))
    literals = np.array([either, either ^ 1, x[3], x[2] ^ 1], np.int32)
    found = implied_bases(graph.left, graph.right, graph.first_gate, 4, literals)
    assert found[:, 1, 0].tolist() == [0b0001, 0, 0b1000, 0]
    assert found[:, 0, 0].tolist() == [0, 0, 0, 0b0100]


def test_two_threads_find_what_one_finds(monkeypatch):
    graph, rng = Graph(200, max_gates=1_000), Random(0)
    made = [graph.all(rng.choices(range(2, 402), k=3)) for _ in range(100)]
    literals = np.array([graph.all(rng.sample(made, 2)) for _ in range(50)], np.int32)
    alone = implied_bases(graph.left, graph.right, graph.first_gate, 200, literals)
    monkeypatch.setattr(implications, "MIN_PARALLEL_STEPS", 0)
    both = implied_bases(graph.left, graph.right, graph.first_gate, 200, literals)
    assert alone[:, 1].any()
    assert (both == alone).all()
