"""The bundled puzzles: legal in their game, and right where an exhaustive search is fast."""

from functools import cache

import pytest

from agent.gamemaster.games import bundled_game
from agent.page.puzzle_sets import FOLDER, puzzle_games, puzzles_of
from reasoner.loading import load_text


def test_every_set_belongs_to_a_bundled_game():
    assert [path.stem for path in sorted(FOLDER.iterdir(), key=lambda path: path.stem.lower())] == puzzle_games()


@pytest.mark.parametrize("name", puzzle_games())
def test_each_puzzle_is_a_position_with_its_moves(name):
    machine = load_text(bundled_game(name).text, engine="relational")
    seen = set()
    for puzzle in puzzles_of(name):
        legal = machine.legal(machine.state(puzzle["facts"]))
        own = list(map(str, legal[machine.roles.index(puzzle["role"])]))
        assert puzzle["move"] in own
        assert len(own) == puzzle["legal"] > 1
        seen.add(tuple(puzzle["facts"]))
    assert len(seen) == len(puzzles_of(name)) >= 5


def test_one_move_of_each_puzzle_of_tic_tac_toe_keeps_the_value():
    machine = load_text(bundled_game("ticTacToe").text, engine="relational")

    def following(state):
        """Each move of the role to move, and the state after it."""
        legal = machine.legal(state)
        for first in legal[0]:
            for second in legal[1]:
                yield str(first if len(legal[0]) > 1 else second), machine.next(state, [first, second])

    @cache
    def value(state):
        """The goal of the first role if both play perfectly."""
        if machine.terminal(state):
            return machine.goal(state)[0]
        return (max if len(machine.legal(state)[0]) > 1 else min)(value(after) for _, after in following(state))

    for puzzle in puzzles_of("ticTacToe"):
        own = machine.roles.index(puzzle["role"])
        found = following(machine.state(puzzle["facts"]))
        goals = {move: 100 - value(after) if own else value(after) for move, after in found}
        assert [move for move, goal in goals.items() if goal == max(goals.values())] == [puzzle["move"]]
        assert goals[puzzle["move"]] == puzzle["goal"]
