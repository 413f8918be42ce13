"""New nodes: ends of the game, roles without a move, and states the machine gives up."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from reasoner.errors import LimitError
from tests.search.games import Line, Nim, Stuck, Tree
from tests.search.helpers import searching, thought, value


def test_a_role_without_a_move_ends_the_game_with_the_goals_there() -> None:
    search = thought(Stuck(), simulations=50)
    assert search.solved
    assert str(search.best()) == "stop"
    assert value(search.report(), "stop") == 80


def test_a_goal_that_the_rules_do_not_give_counts_as_nothing() -> None:
    assert value(thought(Stuck(), simulations=50).report(), "go") == 0


class Endless(Tree):
    """A tree in which the machine reaches a limit at some states, in one of its calls."""

    def __init__(self, tree: Any, call: str, states: set[Any]) -> None:
        super().__init__(("left", "right"), tree)
        self.call, self.states = call, states

    def _checked(self, call: str, state: Any) -> None:
        if call == self.call and state in self.states:
            raise LimitError("too many facts", "facts")

    def legal(self, state: Any) -> Any:
        self._checked("legal", state)
        return super().legal(state)

    def next(self, state: Any, joint: Any) -> Any:
        following = super().next(state, joint)
        self._checked("next", following)
        return following

    def terminal(self, state: Any) -> bool:
        self._checked("terminal", state)
        return super().terminal(state)

    def playouts(self, state: Any, count: int, seed: int, max_steps: int = 10_000) -> Any:
        self._checked("playouts", state)
        return super().playouts(state, count, seed, max_steps)


@pytest.mark.parametrize("call", ["legal", "next", "terminal", "playouts"])
def test_a_state_past_the_machines_limits_counts_as_nothing_and_the_search_continues(call: str) -> None:
    tree = [0, [1, (0, 100), (100, 0)], [1, [0, (40, 60), (30, 70)], [0, (60, 40), (30, 70)]]]
    game = Endless(tree, call, {(0,), (0, 0), (0, 1)})
    search = thought(game, simulations=400)
    assert str(search.best()) == "1"
    assert search.report().unevaluated > 0


def test_a_limit_reached_at_the_first_try_of_a_call_is_no_obstacle() -> None:
    game = Endless([0, (10, 90), [1, (0, 100), (100, 0)]], "next", {(1,)})
    search = thought(game, simulations=50)
    assert str(search.best()) == "0"


def test_a_first_position_past_the_limits_is_the_callers_affair() -> None:
    with pytest.raises(LimitError):
        searching(Endless([0, (0, 0), (1, 1)], "legal", {()}))


def test_legal_moves_are_asked_for_only_where_a_descent_continues() -> None:
    class Counting(Nim):
        asked = 0

        def legal(self, state: Any) -> Any:
            self.asked += 1
            return super().legal(state)

    game = Counting(9, 9)
    search = searching(game, simulations=18)
    search.think(inf)
    assert game.asked <= 3
    assert search.report().nodes >= 15


def test_states_reached_in_two_ways_are_searched_once() -> None:
    search = thought(Line(2, 2, 3), simulations=2_000)  # nobody can win: every order of moves is played
    assert search.solved
    assert search.report().nodes <= 1 + 4 + 12 + 12 + 6
