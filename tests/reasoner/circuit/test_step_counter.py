"""What no move changes runs through the same phases, which the circuit may presume."""

import random

import numpy as np
import pytest

from reasoner import load
from reasoner.circuit.constant_folding import without_constants
from reasoner.circuit.netlist import build
from reasoner.circuit.step_counter import MAX_PHASES, step_counter_of
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.ground.collect import ground
from reasoner.rewrite.passes import rewrite
from reasoner.rules.read import read_program

RULES = """
(role red) (role blue) (init (control red)) (init (step 1)) (init (cell a blank)) (init (cell b blank))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
(<= (next (owner ?k ?r)) (true (step ?k)) (true (control ?r)))
(<= (next (owner ?k ?r)) (true (owner ?k ?r)))
(<= (next (cell ?c ?r)) (does ?r (mark ?c)))
(<= (next (cell ?c ?r)) (true (cell ?c ?r)) (not (touched ?c)))
(<= (touched ?c) (does ?r (mark ?c)))
(<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c ?s)))
(<= (legal red noop) (true (control blue))) (<= (legal blue noop) (true (control red)))
(<= terminal (true (step 4)))
(<= (goal red 100) (true (owner ?k red)) (true (cell a red))) (<= (goal blue 0) (true (control red)))
"""


def netlist_of(rules):
    program, _ = read_program(rules)
    return without_constants(build(ground(rewrite(program).program, 10_000), program, 10_000))


def test_the_phases_are_what_every_match_shows():
    netlist = netlist_of(RULES)
    counter = step_counter_of(netlist)
    facts = [str(netlist.bases[i]) for i in counter.bases]
    assert not any(fact.startswith("(cell") for fact in facts)
    machine = load(RULES).relational
    state, chooser, step = machine.initial(), random.Random(4), 0
    while True:
        held = {str(fact) for fact in machine.facts(state)}
        shown = {fact for fact, true in zip(facts, counter.phases[step], strict=True) if true}
        assert shown == {fact for fact in facts if fact in held}
        if machine.terminal(state):
            break
        state = machine.next(state, [chooser.choice(moves) for moves in machine.legal(state)])
        step += 1
    assert step == 3


def test_what_a_move_changes_has_no_clock():
    rules = """(role r) (init (p a)) (d a) (d b) (<= (legal r (go ?x)) (d ?x)) (<= (next (p ?x)) (does r (go ?x)))
    (<= (next (q ?x)) (true (p ?x))) (<= terminal (true (q b))) (<= (goal r 100) (true (p b)))"""
    assert step_counter_of(netlist_of(rules)) is None


def test_a_clock_with_too_many_phases_is_none():
    bits = MAX_PHASES.bit_length()
    order = " ".join(f"(succ {i} {i + 1})" for i in range(bits))
    rules = f"""(role r) (init (b 0)) {order} (<= (legal r noop) (true (b 0))) (<= (legal r noop) (not (true (b 0))))
    (<= (flips 0)) (<= (flips ?n) (succ ?m ?n) (flips ?m) (true (b ?m)))
    (<= (next (b ?n)) (flips ?n) (not (true (b ?n)))) (<= (next (b ?n)) (true (b ?n)) (not (flips ?n)))
    (<= terminal (true (b {bits}))) (<= (goal r 100) (true (b 0)))"""
    assert step_counter_of(netlist_of(rules)) is None


def test_facts_that_no_phase_shows_are_never_true():
    circuit = build_circuit(read_program(RULES)[0], BuildLimits(), lambda _: None).circuit
    assert {"(owner 1 blue)", "(owner 2 red)", "(owner 3 blue)"} <= {str(fact) for fact in circuit.never}


@pytest.mark.parametrize("facts", [["(control red)", "(step 2)"], ["(control blue)", "(step 1)"], ["(step 3)"], []])
def test_a_state_without_a_phase_is_broken(facts):
    circuit = build_circuit(read_program(RULES)[0], BuildLimits(), lambda _: None).circuit
    number = {str(fact): i for i, fact in enumerate(circuit.bases)}
    assert circuit.broken([number[fact] for fact in facts])
    assert not circuit.broken(np.flatnonzero(circuit.initial).tolist())
