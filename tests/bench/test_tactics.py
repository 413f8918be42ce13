"""The exercises of the benchmark of tactics have one good move."""

from __future__ import annotations

import pytest

from bench.tactics import KINDS, Maker, suite
from search.native.tree import pack
from tests.machines import built
from tests.search.solver.test_solver import NIM


@pytest.mark.parametrize(("heap", "move"), [(3, None), (5, "(take 1)"), (7, "(take 3)"), (8, None)])
def test_a_move_that_alone_wins_is_proven(heap: int, move: str | None):
    machine = built(NIM.replace("(init (heap 7))", f"(init (heap {heap}))"))
    found = Maker(machine).only_move(pack(machine.circuit.initial[: machine.circuit.searched]))
    assert found == (move and ("win", move))


def test_the_suite_has_a_hundred_exercises():
    exercises = suite()
    assert len(exercises) == len(set(exercises)) == 100
    assert {each.kind for each in exercises} == set(KINDS)
