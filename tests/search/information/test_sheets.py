"""Small games of imperfect information are played without an illegal move, with the truth among the states possible."""

from __future__ import annotations

import math
from random import Random

import pytest

from reasoner import load
from reasoner.machine import Machine
from search.belief.belief import Belief
from search.belief.state_set import Observation
from search.clock import MonotonicClock
from search.information.search import InformationSearch
from tests.search.information.sheets import SHEETS

MOST_STEPS = 40


def play(machine: Machine, seed: int, simulations: int) -> None:
    """A game in which roles choose by what they know, every other one by search."""
    rng, state = Random(seed), machine.initial()
    beliefs = {role: Belief(machine, role, seed) for role, name in enumerate(machine.roles) if name.lower() != "random"}
    for _ in range(MOST_STEPS):
        if machine.terminal(state):
            return
        joint = [rng.choice(moves) for moves in machine.legal(state)]
        for role, belief in beliefs.items():
            joint[role] = rng.choice(belief.favourites())
            if role % 2 == seed % 2:
                search = InformationSearch(belief, MonotonicClock(), seed)
                search.think(math.inf, lambda search=search: search.simulations >= simulations)
                joint[role] = search.best()
            assert joint[role] in machine.legal(state)[role]
        state = machine.next(state, joint)
        for role, belief in beliefs.items() if not machine.terminal(state) else ():
            belief.observe(Observation(joint[role], machine.percepts(state)[role]))
            assert belief.alive
            assert state in belief.now.states or not belief.now.exact
    pytest.fail("it does not end")


@pytest.mark.parametrize("name", SHEETS)
def test_every_move_is_legal_and_the_truth_stays_possible(name: str):
    machine = load(SHEETS[name], "circuit")
    for seed in range(2):
        play(machine, seed, simulations=64)


@pytest.mark.parametrize("name", ["tiger", "vacuum", "cards"])
def test_it_is_so_without_a_circuit(name: str):
    play(load(SHEETS[name], "relational"), seed=0, simulations=32)
