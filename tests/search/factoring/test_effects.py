"""What a move does is found as copying the whole circuit for it would find it, in work that its own effects take."""

from __future__ import annotations

import numpy as np
import pytest

import reasoner
from agent.gamemaster.games import bundled_game
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import read
from reasoner.lanes.machine import CircuitMachine
from search.factoring import factor
from search.factoring.effects import Trials
from search.factoring.limits import Budget
from tests.search.compound import compounded
from tests.search.puzzle.test_subgame_solver import LATIN

MOST_GATES = 2_000_000


def trials_of(rules: str) -> Trials:
    machine = reasoner.load(rules, "circuit")
    assert isinstance(machine, CircuitMachine)
    circuit = machine.circuit
    return Trials(circuit, Graph(len(circuit.bases) + len(circuit.legal), MOST_GATES), Budget())


def visited(rules: str) -> int:
    """Gates that all moves' trials visit, without the copies of the whole circuit."""
    trials = trials_of(rules)
    node = trials.under(())
    usual, row = trials.after(node, moves := range(len(trials.circuit.legal)), 0)
    before = trials.budget.gates
    for move in moves:
        list(trials.instead(usual, row, 0, move))
    return before - trials.budget.gates


@pytest.mark.parametrize("name", ["eightPuzzle", "hanoi", "multipleButtons", "connectFour", "goofspiel"])
def test_a_trial_finds_the_literals_that_a_copy_of_the_whole_circuit_has(name: str) -> None:
    trials = trials_of(bundled_game(name).text)
    circuit, node = trials.circuit, trials.under(())
    first, start = 1 + len(circuit.bases), 0
    for own in circuit.moves:
        role = range(start, start + len(own))
        row, effects = trials.effects(node, role, role)
        for move in role:
            inputs = node[: trials.first].copy()
            inputs[first + np.array(role)] = FALSE
            inputs[first + move] = TRUE
            whole = read(trials.copied(inputs), circuit.next[: circuit.searched])
            found = row.copy()
            for base, literal in effects[move]:
                found[base] = literal
            assert (found == whole).all()
        start = role.stop


def test_copies_of_a_puzzle_are_tried_out_in_work_that_grows_as_they_do() -> None:
    work = [visited(compounded([LATIN] * count)) for count in (2, 4, 8)]
    assert work[1] <= 2.5 * work[0]
    assert work[2] <= 2.5 * work[1]


def test_many_copies_of_a_puzzle_come_apart() -> None:
    machine = reasoner.load(compounded([LATIN] * 8), "circuit")
    assert isinstance(machine, CircuitMachine)
    assert len(factor(machine.circuit).subgames) == 8
