"""The gates of ground rules mean their least model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.atoms import atom_literals
from reasoner.circuit.graph import Graph
from reasoner.errors import LimitError, RulesError
from reasoner.ground.collect import GroundProgram
from reasoner.ground.terms import TermTable
from tests.reasoner.circuit.test_graph import evaluated
from tests.reasoner.ground.test_bodies import bodies_of

FREE = 3
LOW, HIGH = 6, 9
FREES = set(range(1, FREE + 1))
"""Atoms up to FREE are inputs, those up to LOW depend on each other positively, the others also negatively on those."""

NO_TERMS = TermTable((), (), np.zeros(0, np.int32), np.zeros(1, np.int32), np.zeros(0, np.int32))


def bodies(atoms, negated):
    literals = st.integers(1, atoms) | (st.integers(-negated, -1) if negated else st.nothing())
    return st.lists(literals, max_size=3)


RULES = st.lists(
    st.tuples(st.integers(FREE + 1, LOW), bodies(LOW, FREE)) | st.tuples(st.integers(LOW + 1, HIGH), bodies(HIGH, LOW)),
    max_size=14,
)


def least_model(rules, inputs):
    """The true atoms, stratum by stratum, by applying the rules until nothing changes."""
    true = {atom for atom in range(1, FREE + 1) if inputs[atom - 1]}
    for lowest, highest in ((FREE + 1, LOW), (LOW + 1, HIGH)):
        own = [(head, body) for head, body in rules if lowest <= head <= highest]
        while new := {head for head, body in own if all((abs(x) in true) == (x > 0) for x in body)} - true:
            true |= new
    return true


def graph_of(rules, max_gates=1000):
    graph = Graph(FREE, max_gates)
    free, wanted = np.arange(1, FREE + 1, dtype=np.int32), np.arange(1, HIGH + 1, dtype=np.int32)
    return graph, atom_literals(GroundProgram(NO_TERMS, {}, bodies_of(rules)), graph, free, free - 1, wanted)


@given(RULES)
def test_an_atom_is_true_where_it_is_in_the_least_model(rules):
    graph, literal = graph_of(rules)
    for row in range(2**FREE):
        inputs = [bool(row >> i & 1) for i in range(FREE)]
        true = least_model(rules, inputs)
        assert {atom for atom in range(1, HIGH + 1) if evaluated(literal[atom], graph, inputs)} == true


@given(st.lists(st.tuples(st.integers(FREE + 1, HIGH), bodies(HIGH, HIGH)), max_size=10))
def test_atoms_that_negate_each_other_have_their_well_founded_meaning_in_each_state(rules):
    try:
        graph, literal = graph_of(rules, max_gates=100_000)
    except RulesError:
        assert all(undecided(rules, row) for row in range(2**FREE))
        return
    for row in range(2**FREE):
        inputs = [bool(row >> i & 1) for i in range(FREE)]
        true, possible = well_founded(rules, inputs)
        assert (
            true != possible or {atom for atom in range(1, HIGH + 1) if evaluated(literal[atom], graph, inputs)} == true
        )


def undecided(rules, row):
    true, possible = well_founded(rules, [bool(row >> i & 1) for i in range(FREE)])
    return possible - true


def well_founded(rules, inputs):
    """The atoms that are true, and those that may be."""
    true, before = set(), None
    while true != before:
        before = true
        possible = derived(rules, inputs, true)
        true = derived(rules, inputs, possible)
    return true, possible


def derived(rules, inputs, assumed):
    """The least model when a negation holds of each atom not in `assumed`."""
    true = {atom for atom in range(1, FREE + 1) if inputs[atom - 1]}
    while (
        new := {
            h for h, body in rules if all((x in true) if x > 0 else -x not in assumed | (true & FREES) for x in body)
        }
        - true
    ):
        true |= new
    return true


def test_atoms_of_which_each_negates_the_other_in_another_state_are_built():
    """Who leads takes unless the other does, and only one leads: 1 and 2 are never true together."""
    graph, literal = graph_of([(4, [1, -5]), (5, [2, -4])])
    for leads in ([True, False, False], [False, True, False]):
        assert [evaluated(literal[atom], graph, leads) for atom in (4, 5)] == leads[:2]


def test_a_negation_in_a_loop_that_no_state_opens_is_refused():
    program = [(4, [5]), (5, [-4])]
    with pytest.raises(RulesError, match="negation depends on itself"):
        graph_of(program)


def test_the_limit_of_gates_holds_for_atoms():
    with pytest.raises(LimitError):
        graph_of([(4, [1, 2]), (5, [2, 3]), (6, [1, 3])], max_gates=2)
