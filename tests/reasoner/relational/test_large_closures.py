"""A large closure delays the first legal move by few repeated runs only, and by few steps of learning."""

from __future__ import annotations

from itertools import count

import pytest

from reasoner.relational.bytecode import engine
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import COSTLY_STEPS
from reasoner.relational.bytecode.memory import Memory
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

LENGTH = 3_000
RULES = """
(<= (reach ?x ?y) (e ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (e ?y ?z))
(role a) (init (at 0)) (<= (next (at ?y)) (does a (go ?y)))
(<= (legal ?r (go ?y)) (role ?r) (true (at ?x)) (reach ?x ?y))
(<= terminal (true (at {end}))) (<= (goal ?r 50) (role ?r))
"""


def chain(length: int) -> RelationalMachine:
    """A game whose legal moves are the places that can be reached along a chain."""
    edges = " ".join(f"(e {i} {i + 1})" for i in range(length))
    return RelationalMachine(read_program(edges + RULES.format(end=length))[0])


def test_costly_runs_are_repeated_a_few_times_until_all_rows_fit(monkeypatch: pytest.MonkeyPatch):
    costly = 0
    grow = Memory.grow

    def counting(memory: Memory, *given: int) -> bool:
        nonlocal costly
        costly += int(memory.arrays.counters[at.STEPS]) > COSTLY_STEPS
        return grow(memory, *given)

    monkeypatch.setattr(Memory, "grow", counting)
    machine = chain(LENGTH)
    assert len(machine.legal(machine.initial())[0]) == LENGTH
    assert 0 < costly < 12


@pytest.mark.parametrize(("tick", "steps"), [(0.0, engine.LEARNING_STEPS), (engine.LEARNING_SECONDS, 1)])
def test_learning_ends_early_where_a_step_takes_long(monkeypatch: pytest.MonkeyPatch, tick: float, steps: int):
    """The first move of a match may be due before relation sizes are known from twelve steps."""
    chosen, choose, ticks = [], engine.choose, count()
    monkeypatch.setattr(engine, "choose", lambda *given: chosen.append(1) or choose(*given))
    machine = RelationalMachine(
        read_program(
            "(role a) (init (p 0)) (legal a go) (<= (next ?f) (true ?f)) (<= terminal (true (p 1))) (goal a 50)"
        )[0],
        clock=lambda: tick * next(ticks),
    )
    machine.initial()
    assert len(chosen) == steps
