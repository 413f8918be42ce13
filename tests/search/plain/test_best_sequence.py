"""Games of one player: the best line is found, kept and played."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.language.terms import Constant
from search.plain.mcts import BestSequence
from tests.search.games import PythonGame, Slide, Walk
from tests.search.helpers import searching


class Corridor(PythonGame):
    """`length` choices among `width` doors; only the whole secret opens: 100, else the share of right doors in tens.

    State: the doors taken.
    """

    roles = ("alone",)
    start = ()

    def __init__(self, length: int, width: int, seed: int) -> None:
        rng = Random(seed)
        self.width = width
        self.secret = tuple(str(rng.randrange(width)) for _ in range(length))

    def words(self, _state: Any) -> list[list[str]]:
        return [[str(door) for door in range(self.width)]]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        return (*state, words[0])

    def over(self, state: Any) -> bool:
        return len(state) == len(self.secret)

    def reward(self, state: Any) -> tuple[int | None, ...]:
        right = sum(1 for door, secret in zip(state, self.secret, strict=False) if door == secret)
        return (100 if right == len(self.secret) else 90 * right // len(self.secret),)


def played(game: PythonGame, **options: Any) -> int | None:
    search, state = searching(game, **options), game.initial()
    while not game.over(state):
        search.think(inf)
        joint = (search.best(),)
        state = game.next(state, joint)
        search.advance(joint, state)
    return game.reward(state)[0]


def test_the_sliding_puzzle_is_solved() -> None:
    for seed in range(4):
        assert played(Slide(3, 3, 30, 14, seed), simulations=1_500) == 100


def test_a_cyclic_walk_finds_its_way_out() -> None:
    assert played(Walk(10), simulations=800) == 100


def test_the_line_is_followed_without_further_thinking() -> None:
    game = Slide(3, 2, 30, 12, 1)
    search, state = searching(game, simulations=3_000), game.start
    search.think(inf)
    assert search.solved
    while not game.over(state):
        assert search.solved
        joint = (search.best(),)
        state = game.next(state, joint)
        search.advance(joint, state)
        search.think(inf)
        assert search.report().simulations == 0
    assert game.reward(state) == (100,)


def test_leaving_the_line_forgets_it() -> None:
    game = Slide(3, 2, 30, 12, 1)
    search = searching(game, simulations=3_000)
    search.think(inf)
    other = next(move for move in game.legal(game.start)[0] if move != search.best())
    search.advance((other,), game.next(game.start, (other,)))
    assert search._mcts.line.value < 1


@settings(max_examples=15)
@given(st.integers(0, 1_000))
def test_what_is_played_is_at_least_the_best_line_known_at_the_start(seed: int) -> None:
    game = Corridor(length=6, width=3, seed=seed)
    search, state = searching(game, simulations=60, seed=seed), game.initial()
    search.think(inf)
    known = search._mcts.line.value
    while not game.over(state):
        joint = (search.best(),)
        state = game.next(state, joint)
        search.advance(joint, state)
        search.think(inf)
    assert (game.reward(state)[0] or 0) >= 100 * known


def test_a_worse_line_does_not_replace_a_better_one() -> None:
    line, forward, back = BestSequence(), Constant("forward"), Constant("back")
    line.offer(0.5, [("start", forward)])
    line.offer(0.4, [("start", back)])
    assert (line.value, line.moves) == (0.5, {"start": forward})
