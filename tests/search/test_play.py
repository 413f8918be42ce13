"""Whole games: the search against random play, perfect play and itself."""

from __future__ import annotations

from functools import cache
from math import inf
from random import Random
from typing import Any

import pytest

from tests.search.games import Gamble, Line, Nim, PythonGame, minimax
from tests.search.helpers import searching

pytestmark = pytest.mark.long  # whole games

TICTACTOE = Line(3, 3, 3)


@cache
def perfect(state: str) -> tuple[int, str]:
    """The value for x, 0..100, and a best move."""
    if TICTACTOE.over(state):
        return TICTACTOE.reward(state)[0] or 0, ""
    mover = TICTACTOE.mover(state)
    words = TICTACTOE.words(state)
    values = []
    for word in words[mover]:
        joint = tuple(word if role == mover else own[0] for role, own in enumerate(words))
        values.append((perfect(TICTACTOE.follow(state, joint))[0], word))
    return max(values) if mover == 0 else min(values)


def at_random(game: PythonGame, state: Any, role: int, rng: Random) -> str:
    return rng.choice(game.words(state)[role])


def perfectly(_game: PythonGame, state: Any, role: int, _rng: Random) -> str:
    return perfect(state)[1] if TICTACTOE.mover(state) == role else "noop"


def result(game: PythonGame, role: int, opponent: Any, seed: int, simulations: int) -> tuple[int | None, ...]:
    rng, state = Random(seed), game.initial()
    search = searching(game, role, simulations=simulations, seed=seed)
    while not game.over(state):
        search.think(inf)
        joint = [search.best() if each == role else opponent(game, state, each, rng) for each in range(len(game.roles))]
        state = game.next(state, joint)
        search.advance(joint, state)
    return game.reward(state)


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("opponent", [at_random, perfectly])
def test_tictactoe_is_never_lost(role: int, opponent: Any) -> None:
    for seed in range(6):
        assert result(TICTACTOE, role, opponent, seed, simulations=400)[role] != 0


@pytest.mark.parametrize("role", [0, 1])
def test_four_in_a_row_is_won_against_random_play(role: int) -> None:
    game = Line(5, 4, 4, gravity=True)
    won = [result(game, role, at_random, seed, simulations=150)[role] for seed in range(6)]
    assert won.count(100) >= 5


def test_nim_is_won_from_a_won_position() -> None:
    assert result(Nim(3, 4, 5), 0, at_random, 1, simulations=3_000) == (100, 0)


def test_chance_is_not_taken_for_an_opponent_or_a_friend() -> None:
    # at worst 0 and at best 100: neither says which die is better
    game = Gamble({"poor": [0, 100, 0, 0], "rich": [100, 0, 100, 100]})
    search = searching(game, 1, simulations=500)
    search.think(inf)
    assert {str(move.move): move.value for move in search.report().moves} == {"poor": 25, "rich": 75}


class Greedy(PythonGame):
    """Three players in turn take 1 or 2 of seven pieces; who takes the last gets 100, who moves next after that 40.

    State: (mover, pieces).
    """

    roles = ("a", "b", "c")
    start = (0, 7)

    def words(self, state: Any) -> list[list[str]]:
        moves = ["one", "two"][: state[1]]
        return [moves if role == state[0] else ["noop"] for role in range(3)]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        mover, pieces = state
        return (mover + 1) % 3, pieces - ("one", "two").index(words[mover]) - 1

    def over(self, state: Any) -> bool:
        return state[1] == 0

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return tuple(40 if role == state[0] else 100 if (role + 1) % 3 == state[0] else 0 for role in range(3))


@pytest.mark.parametrize("role", [0, 1, 2])
def test_three_players_are_each_taken_to_play_for_themselves(role: int) -> None:
    search = searching(Greedy(), role, simulations=2_000)
    search.think(inf)
    proof = search._mcts.tree.root.proof
    assert proof is not None
    assert tuple(100 * value for value in proof.values)[role] == minimax(Greedy(), (0, 7), role)[role]
