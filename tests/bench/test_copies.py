"""Buttons and lights in any number of copies."""

import pytest

from agent.cli.check import faults
from agent.gamemaster.games import find_game
from bench.factoring.copies import copies
from reasoner import load
from reasoner.stages import built
from search.factoring import factor


@pytest.mark.parametrize("count", [1, 2, 10])
def test_the_rules_are_sound_and_every_copy_is_a_subgame(count):
    assert faults(copies(count)) == ()
    found = factor(built(copies(count)))
    assert [len(subgame.bases) for subgame in found.subgames] == [3] * count
    assert found.splits == (count > 1)


def test_six_presses_a_copy_solve_all_and_fewer_do_not():
    machine = load(copies(2), engine="relational")
    state, ends = machine.initial(), []
    for group in (1, 2):
        for button in "abcaba":
            ends.append(machine.terminal(state))
            moves = {str(move): move for move in machine.legal(state)[0]}
            state = machine.next(state, [moves[f"(press {group} {button})"]])
    assert not any(ends)
    assert machine.terminal(state)
    assert machine.goal(state) == (100,)


def test_the_bundled_game_is_four_copies():
    assert find_game("allButtons").text == copies(4)


def test_no_copy_is_no_game():
    with pytest.raises(ValueError, match="one copy"):
        copies(0)
