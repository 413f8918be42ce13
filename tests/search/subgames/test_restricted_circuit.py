"""What is left of a game in a state."""

from __future__ import annotations

import pytest

from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from search.factoring import factor
from search.subgames.restricted_circuit import residual
from tests.search.subgames.games import compiled, plays


@pytest.mark.parametrize("name", ["ticTacToe", "jointTicTacToe", "fusedButtons", "lightCycles"])
def test_what_is_left_plays_on_as_the_whole_does(name: str) -> None:
    machine = compiled(name)
    for number, (state, joint, following) in enumerate(plays(machine, seed=1, games=2)):
        if number % 3 == 0 or state == machine.initial():
            part = residual(machine.circuit, state)
            smaller = CircuitMachine(schedule(part.circuit), machine.relational)
            assert part.state(state) == smaller.initial()
        assert smaller.legal(part.state(state)) == machine.legal(state)
        after = smaller.next(part.state(state), joint)
        assert after == part.state(following)
        assert smaller.terminal(after) == machine.terminal(following)
        if machine.terminal(following):
            assert smaller.goal(after) == machine.goal(following)


def test_joint_tic_tac_toe_is_whole_while_its_bridge_is_free_and_comes_apart_in_some_states_after() -> None:
    machine = compiled("jointTicTacToe")
    split = {
        "(bridge b)" in set(map(str, machine.facts(state)))
        for state, _, _ in plays(machine, seed=2, games=4)
        if factor(residual(machine.circuit, state).circuit).splits
    }
    assert split == {False}
