"""What a subgame is played for is compared between two states of the others."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from search.factoring import factor
from search.factoring.factors import Factoring
from search.subgames.restricted_circuit import held, unpacked
from search.subgames.subgame_circuit import signals
from search.subgames.unchanged_stakes import stakes_unchanged
from tests.search.subgames.games import compiled, plays
from tests.shared import needs_shared


def game(name: str) -> tuple[Circuit, Factoring, list[Bools]]:
    """A game, its subgames and states of random play."""
    machine = compiled(name)
    states = [unpacked(state, len(machine.circuit.bases)) for state, *_ in plays(machine, seed=4, games=3)]
    return machine.circuit, factor(machine.circuit), states


def seen(circuit: Circuit, found: Factoring, state: Bools) -> tuple[bool, ...]:
    """What goals and termination read of the subgames."""
    return held(circuit, state, [literal for one in found.subgames for literal in signals(one)])


def check(name: str) -> set[bool]:
    """Hold each answer against states in which a subgame is as somewhere else; the answers where signals differ."""
    circuit, found, states = game(name)
    random, answers = Random(2), set[bool]()
    wanted = [circuit.terminal, *circuit.goals[:, 2].tolist()]
    for before, after in pairwise(states):
        unchanged = stakes_unchanged(circuit, found, before, after)
        if seen(circuit, found, before) != seen(circuit, found, after):
            answers.add(unchanged)
        for one in found.subgames if unchanged else ():
            own = np.array([*one.bases, *found.counter])
            mixed = before.copy(), after.copy()
            mixed[0][own] = mixed[1][own] = random.choice(states)[own]
            assert held(circuit, mixed[0], wanted) == held(circuit, mixed[1], wanted)
    return answers


@pytest.mark.parametrize("name", ["hodgepodge", "nim", "multipleTicTacToe"])
def test_where_stakes_are_said_to_be_unchanged_goals_and_end_are_the_same(name: str) -> None:
    check(name)


def test_of_a_heap_it_only_matters_whether_it_is_empty() -> None:
    assert check("nim") == {False, True}


@needs_shared
@pytest.mark.parametrize("name", ["dualConnect4", "connectFourSimultaneous"])
def test_a_full_column_changes_nothing_on_the_other_board_and_a_line_does(name: str) -> None:
    check(name)
    circuit, found, _ = game(name)
    machine = compiled(name)
    for state, _, following in plays(machine, seed=9, games=12):
        before, after = (unpacked(each, len(circuit.bases)) for each in (state, following))
        if seen(circuit, found, before) != seen(circuit, found, after):
            assert stakes_unchanged(circuit, found, before, after) != machine.terminal(following)
