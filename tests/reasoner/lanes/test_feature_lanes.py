"""Counts of features in lanes, held against enumeration and against the relational engine, one state at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.compilation import BuildLimits, CountBuild
from reasoner.compilation.features import COUNT_LIMITS, CountRequest, build_counts
from reasoner.errors import LimitError
from reasoner.lanes import feature_values
from reasoner.lanes.feature_lanes import CountLanes, groups_of
from reasoner.language.parse import read_term
from reasoner.language.terms import Variable

RULES = """
(role x) (role o) (opponent x o) (opponent o x) (init (control x)) (init (cell 2 2 o))
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3)
(<= (legal ?p (mark ?m ?n)) (true (control ?p)) (index ?m) (index ?n) (not (taken ?m ?n)))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))
(<= (taken ?m ?n) (true (cell ?m ?n ?p)))
(<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n)))
(<= (next (cell ?m ?n ?p)) (true (cell ?m ?n ?p)))
(<= (next (control ?p)) (true (control ?q)) (opponent ?p ?q))
(<= open (index ?m) (index ?n) (not (taken ?m ?n)))
(<= terminal (not open)) (<= (goal ?p 50) (role ?p))
"""
THEORY = """
(<= (owns ?p ?m ?n) (true (cell ?m ?n ?p)))
(<= (next_to ?a ?b) (succ ?a ?b)) (<= (next_to ?b ?a) (succ ?a ?b))
(<= (joined ?p ?m ?n ?m ?n) (owns ?p ?m ?n))
(<= (joined ?p ?m ?n ?k ?l) (joined ?p ?m ?n ?i ?l) (next_to ?i ?k) (owns ?p ?k ?l))
(<= (joined ?p ?m ?n ?k ?l) (joined ?p ?m ?n ?k ?i) (next_to ?i ?l) (owns ?p ?k ?l))
"""
LITERALS = (
    "(owns {p} {i} {j})",
    "(true (cell {i} {j} {p}))",
    "(next_to {i} {j})",
    "(joined {p} {i} {j} {k} {l})",
    "(opponent {p} {q})",
    "(true (control {p}))",
    "(legal {p} (mark {i} {j}))",
    "(index {i})",
)
TESTS = ("(not (taken {i} {j}))", "(not (owns {p} {i} {j}))", "(distinct {i} {j})")


def machine_with(theory: str = THEORY):
    return load(RULES, "circuit", theory=theory)


@pytest.fixture(scope="module")
def machine():
    return machine_with()


@pytest.fixture(scope="module")
def states(machine):
    """Positions of random games."""
    random, state, found = Random(1), machine.initial(), []
    while len(found) < 30:
        found.append(state)
        over = machine.terminal(state)
        state = machine.initial() if over else machine.next(state, [random.choice(m) for m in machine.legal(state)])
    return found


@st.composite
def features(draw):
    """A conjunction and some of its variables."""

    def filled(literal: str) -> str:
        players = {name: draw(st.sampled_from(["?p", "?p", "?q", "x", "o"])) for name in "pq"}
        places = {name: draw(st.sampled_from(["?a", "?b", "?c", "?d", "1", "2"])) for name in "ijkl"}
        return literal.format(**players, **places)

    literals = [filled(draw(st.sampled_from(LITERALS))) for _ in range(draw(st.integers(1, 4)))]
    bound = sorted({word.strip("()") for literal in literals for word in literal.split() if word.startswith("?")})
    tests = [filled(draw(st.sampled_from(TESTS))) for _ in range(draw(st.integers(0, 1)))]
    safe = [t for t in tests if {word.strip("()") for word in t.split() if word.startswith("?")} <= set(bound)]
    counted = draw(st.lists(st.sampled_from(bound), unique=True)) if bound else []
    return " ".join([*literals, *safe]), tuple(counted)


def compiled(machine, asked, limits=COUNT_LIMITS):
    """The features in lanes, built in this process."""
    its = machine.relational.features(asked)
    circuit = machine.circuit
    wanted = CountRequest(machine.relational.program, circuit.bases, circuit.always, [*groups_of(its)])
    return CountLanes(build_counts(wanted, limits, lambda _: None), its)


@settings(max_examples=25)
@given(st.lists(features(), min_size=1, max_size=6))
def test_lanes_count_as_the_relational_engine_does_one_state_at_a_time(machine, states, asked):
    lanes = compiled(machine, asked)
    single = [machine.relational.counts([machine.relational.state(machine.facts(s))], asked)[0] for s in states[:12]]
    np.testing.assert_array_equal(lanes.values(states[:12]), single)


@settings(max_examples=12)
@given(features())
def test_lanes_count_as_many_solutions_as_are_enumerated(machine, states, feature):
    conjunction, counted = feature
    found = compiled(machine, [feature]).values(states[5:9])[:, 0].tolist()
    expected = []
    for state in states[5:9]:
        answers = machine.query(state, conjunction)
        names = [Variable(name.removeprefix("?")) for name in counted]
        expected.append(len({tuple(answer[name] for name in names) for answer in answers}))
    assert found == expected


@pytest.mark.parametrize("emitter", ["portable", None])
def test_more_states_than_lanes_are_counted_in_several_sweeps(machine, states, emitter):
    asked = [("(owns ?p ?m ?n)", ("?m", "?n")), ("(joined x ?a ?b ?c ?d) (index ?i)", ("?a", "?c", "?i"))]
    many = (states * 40)[:1100]
    found = compiled(machine, asked, BuildLimits(emitter=emitter)).values(many)
    np.testing.assert_array_equal(
        found[:30], machine.relational.counts([machine.relational.state(machine.facts(s)) for s in states], asked)
    )
    np.testing.assert_array_equal(found[30:1100], found[: 1100 - 30][np.arange(1070)])
    assert found.shape == (1100, 2)


def test_a_group_with_too_many_instances_is_left_to_the_relational_engine(states, monkeypatch):
    machine = machine_with()
    small = BuildLimits(ground_rules=400, emitter="portable")
    asked = [("(owns x ?a ?b)", ("?a", "?b")), ("(joined ?p ?a ?b ?c ?d) (joined ?q ?c ?d ?a ?e)", ("?a", "?e", "?q"))]
    lanes = compiled(machine, asked, small)
    assert lanes.counted.tolist() == [True, False]
    monkeypatch.setattr(machine._feature_values, "_builder", lambda _: lanes.program)
    assert machine.compile_counts(asked) is lanes.program
    expected = machine.relational.counts([machine.relational.state(machine.facts(s)) for s in states], asked)
    np.testing.assert_array_equal(machine.counts(states, asked), expected)


def test_a_set_of_features_is_compiled_once_it_was_counted_so_often_that_it_pays(states, monkeypatch):
    machine, asked = machine_with(), [("(owns ?p ?m ?n)", ("?m",))]
    monkeypatch.setattr(feature_values, "MIN_VALUES", 2 * len(states))
    first = machine.counts(states, asked)
    assert not machine._feature_values._compiled
    second = machine.counts(states, asked)
    assert machine._feature_values._compiled
    machine._feature_values._builder = None  # what is compiled stays
    np.testing.assert_array_equal(first, second)


def test_a_state_that_the_circuit_cannot_hold_is_counted_beside_the_others(machine, states):
    asked = [("(owns ?p ?m ?n)", ("?m", "?n", "?p")), ("(true (cell ?m ?n z))", ())]
    strange = machine.state([read_term("(cell 1 1 z)"), "(cell 1 2 x)"])
    assert not isinstance(strange, bytes)
    assert machine.compile_counts(asked) is not None
    found = machine.counts([*states[:4], strange, *states[4:]], asked)
    assert found[4].tolist() == [2, 1]
    np.testing.assert_array_equal(np.delete(found, 4, axis=0), machine.counts(states, asked))


def test_features_that_cannot_be_compiled_are_still_counted(states, monkeypatch):
    machine, asked = machine_with(), [("(owns ?p ?m ?n)", ("?m",))]

    def late(_):
        raise LimitError("too late", limit="time")

    monkeypatch.setattr(machine._feature_values, "_builder", late)
    assert machine.compile_counts(asked) is None
    assert machine.counts(states, asked)[0].tolist() == [1]


def test_compiling_features_ends_in_time(machine):
    wanted = CountRequest(machine.relational.program, machine.circuit.bases, machine.circuit.always, [])
    build = CountBuild(wanted, BuildLimits(seconds=0.001))
    with pytest.raises(LimitError):
        build.result()
    build.cancel()


def test_endless_rules_of_a_theory_leave_their_features_to_the_relational_engine():
    endless = "(number z) (<= (number (s ?n)) (number ?n)) (<= (owns ?p ?m ?n) (true (cell ?m ?n ?p)))"
    machine = machine_with(endless)
    asked = [("(number ?n) (true (control x))", ("?n",)), ("(owns x ?m ?n)", ("?m", "?n"))]
    lanes = compiled(machine, asked, BuildLimits(ground_rules=2_000, emitter="portable"))
    assert lanes.counted.tolist() == [False, True]
