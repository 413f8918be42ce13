"""Small games in plain Python behind the machine interface, and clocks that tests set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import numpy as np

from reasoner.errors import IllegalMoveError
from reasoner.language.terms import Constant, Term
from reasoner.machine import Playouts, Sizes, Substitution
from tests.clocks import FakeClock

NOOP = "noop"


class PythonGame:
    """A machine whose rules are four methods on states of plain tuples; moves are words.

    A game defines `roles`, `start`, `words(state)` (per role its moves), `follow(state, words)`, `over(state)`
    and `reward(state)`.
    """

    roles: tuple[str, ...] = ()
    engine = "python"
    points = 100
    sizes = Sizes()
    lanes = 1
    start: Any = None

    def words(self, state: Any) -> list[list[str]]:
        raise NotImplementedError

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        raise NotImplementedError

    def over(self, state: Any) -> bool:
        raise NotImplementedError

    def reward(self, state: Any) -> tuple[int | None, ...]:
        raise NotImplementedError

    def initial(self) -> Any:
        return self.start

    def state(self, facts: Iterable[Term | str]) -> Any:
        raise NotImplementedError

    def facts(self, state: Any) -> frozenset[Term]:
        return frozenset({Constant(repr(state))})

    def query(self, state: Any, conjunction: str) -> tuple[Substitution, ...]:
        raise NotImplementedError

    def legal(self, state: Any) -> tuple[tuple[Term, ...], ...]:
        return tuple(tuple(Constant(word) for word in own) for own in self.words(state))

    def next(self, state: Any, joint: Sequence[Term | str]) -> Any:
        words = tuple(str(move) for move in joint)
        for own, word in zip(self.words(state), words, strict=True):
            if word not in own:
                raise IllegalMoveError(f"{word} is not among {own}")
        return self.follow(state, words)

    def terminal(self, state: Any) -> bool:
        return self.over(state)

    def goal(self, state: Any) -> tuple[int | None, ...]:
        return self.reward(state)

    def playouts(self, state: Any, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        rng = Random(seed)
        games = [self._playout(state, rng, max_steps) for _ in range(count)]
        return Playouts(
            np.array([[goal or 0 for goal in goals] for goals, _, _ in games], dtype=np.float32),
            np.array([length for _, length, _ in games], dtype=np.int32),
            np.array([finished for _, _, finished in games], dtype=np.bool_),
        )

    def _playout(self, state: Any, rng: Random, max_steps: int) -> tuple[tuple[int | None, ...], int, bool]:
        length = 0
        while not (over := self.over(state)) and length < max_steps:
            words = self.words(state)
            if not all(words):
                break
            state = self.follow(state, tuple(rng.choice(own) for own in words))
            length += 1
        return self.reward(state), length, over


class Nim(PythonGame):
    """Heaps; a turn takes any number from one heap, and who takes the last piece wins. State: (mover, heaps)."""

    roles = ("left", "right")

    def __init__(self, *heaps: int) -> None:
        self.start = (0, heaps)

    def words(self, state: Any) -> list[list[str]]:
        mover, heaps = state
        moves = [f"{heap}-{taken}" for heap, size in enumerate(heaps) for taken in range(1, size + 1)]
        return [moves, [NOOP]] if mover == 0 else [[NOOP], moves]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        mover, heaps = state
        heap, taken = map(int, words[mover].split("-"))
        return 1 - mover, tuple(size - taken if each == heap else size for each, size in enumerate(heaps))

    def over(self, state: Any) -> bool:
        return not any(state[1])

    def reward(self, state: Any) -> tuple[int | None, ...]:
        # who is to move with nothing left has lost
        return (0, 100) if state[0] == 0 else (100, 0)


class Line(PythonGame):
    """k in a row on a board, with or without gravity. State: the board's cells, "." for an empty one, row by row."""

    roles = ("x", "o")

    def __init__(self, width: int, height: int, length: int, gravity: bool = False) -> None:
        self.gravity = gravity
        self.width = width
        self.start = "." * (width * height)
        self.length = length
        self.ways = [  # from a cell of a line to its next, and the first cells of such lines, as bits
            (
                dy * width + dx,
                sum(
                    1 << (width * (height - y) - 1 - x)
                    for y in range(height)
                    for x in range(width)
                    if 0 <= x + (length - 1) * dx < width and y + (length - 1) * dy < height
                ),
            )
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
        ]

    def mover(self, state: str) -> int:
        return (len(state) - state.count(".")) % 2

    def words(self, state: Any) -> list[list[str]]:
        moves = [str(cell) for cell in self._cells(state)]
        return [moves, [NOOP]] if self.mover(state) == 0 else [[NOOP], moves]

    def _cells(self, state: str) -> list[int]:
        free = [cell for cell, mark in enumerate(state) if mark == "."]
        if not self.gravity:
            return free
        return [cell for cell in free if cell + self.width >= len(state) or state[cell + self.width] != "."]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        mover = self.mover(state)
        cell = int(words[mover])
        return state[:cell] + "xo"[mover] + state[cell + 1 :]

    def winner(self, state: str) -> int | None:
        for role, other in enumerate("ox"):
            cells = int(state.replace(other, "0").replace(".", "0").replace("xo"[role], "1"), 2)
            for way, lines in self.ways:
                for step in range(1, self.length):
                    lines &= cells << step * way
                if lines & cells:
                    return role
        return None

    def over(self, state: Any) -> bool:
        return "." not in state or self.winner(state) is not None

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return {0: (100, 0), 1: (0, 100), None: (50, 50)}[self.winner(state)]


class Matrix(PythonGame):
    """One simultaneous choice, then it is over: the rewards of row and column player. State: None or the choices."""

    roles = ("row", "column")

    def __init__(self, rewards: dict[tuple[str, str], tuple[int, int]]) -> None:
        self.rewards = rewards

    def words(self, _state: Any) -> list[list[str]]:
        return [sorted({row for row, _ in self.rewards}), sorted({column for _, column in self.rewards})]

    def follow(self, _state: Any, words: tuple[str, ...]) -> Any:
        return words

    def over(self, state: Any) -> bool:
        return state is not None

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return self.rewards[state] if state else (None, None)


class Walk(PythonGame):
    """One player on a ring of `size` places, forwards, back or out: states form cycles. Goal 100 at the last place.

    To go out is worth 10. State: the place, or "out".
    """

    roles = ("walker",)

    def __init__(self, size: int) -> None:
        self.size = size
        self.start = 0

    def words(self, _state: Any) -> list[list[str]]:
        return [["back", "forward", "out"]]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        if words[0] == "out":
            return "out"
        return max(state - 1, 0) if words[0] == "back" else state + 1

    def over(self, state: Any) -> bool:
        return state in ("out", self.size)

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return (10 if state == "out" else 100 if state == self.size else None,)


class Chase(PythonGame):
    """Two turn-takers whose states form cycles: each may wait; left wins by going when right has just waited thrice."""

    roles = ("left", "right")
    start = (0, 0)

    def words(self, state: Any) -> list[list[str]]:
        return [["go", "wait"], [NOOP]] if state[0] == 0 else [[NOOP], ["reset", "wait"]]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        mover, waited = state
        if mover == 0:
            return (2, waited) if words[0] == "go" else (1, waited)
        return (0, 0) if words[1] == "reset" else (0, min(waited + 1, 3))

    def over(self, state: Any) -> bool:
        return state[0] == 2

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return (None, None) if state[0] != 2 else (100, 0) if state[1] == 3 else (40, 60)


class Gamble(PythonGame):
    """Chance: the player picks a die, the role `random` throws it. State: None, a die, or (die, face)."""

    roles = ("random", "player")

    def __init__(self, dice: dict[str, list[int]]) -> None:
        self.dice = dice

    def words(self, state: Any) -> list[list[str]]:
        if state is None:
            return [[NOOP], sorted(self.dice)]
        return [[str(face) for face in range(len(self.dice[state]))], [NOOP]]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        return words[1] if state is None else (state, int(words[0]))

    def over(self, state: Any) -> bool:
        return isinstance(state, tuple)

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return (100, self.dice[state[0]][state[1]]) if self.over(state) else (None, None)


class Slide(PythonGame):
    """The sliding puzzle on `width` x `height` with at most `limit` moves. State: (steps, tiles), 0 the gap.

    Goal 100 when solved, else 1 for each tile in place.
    """

    roles = ("robot",)

    def __init__(self, width: int, height: int, limit: int, shuffles: int, seed: int) -> None:
        self.width, self.limit = width, limit
        self.solved = (*range(1, width * height), 0)
        rng, tiles = Random(seed), self.solved
        for _ in range(shuffles):
            tiles = self._slid(tiles, int(rng.choice(self._movable(tiles))))
        self.start = (0, tiles)

    def _movable(self, tiles: tuple[int, ...]) -> list[str]:
        y, x = divmod(tiles.index(0), self.width)
        near = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
        height = len(tiles) // self.width
        return sorted(str(tiles[r * self.width + c]) for r, c in near if 0 <= r < height and 0 <= c < self.width)

    def _slid(self, tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
        return tuple({0: tile, tile: 0}.get(each, each) for each in tiles)

    def words(self, state: Any) -> list[list[str]]:
        return [self._movable(state[1])]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        return state[0] + 1, self._slid(state[1], int(words[0]))

    def over(self, state: Any) -> bool:
        return state[0] == self.limit or state[1] == self.solved

    def reward(self, state: Any) -> tuple[int | None, ...]:
        if state[1] == self.solved:
            return (100,)
        return (sum(1 for tile, home in zip(state[1], self.solved, strict=True) if tile == home),)


class Tree(PythonGame):
    """A game given by its tree: a leaf is a tuple of goals, an inner node ``[kind, child, …]``; states are paths.

    `kind` is the index of the role that chooses there.
    """

    def __init__(self, roles: tuple[str, ...], tree: Any) -> None:
        self.roles = roles
        self.tree = tree
        self.start = ()

    def at(self, state: Any) -> Any:
        node = self.tree
        for index in state:
            node = node[index + 1]
        return node

    def words(self, state: Any) -> list[list[str]]:
        node = self.at(state)
        moves = [str(index) for index in range(len(node) - 1)]
        return [moves if role == node[0] else [NOOP] for role in range(len(self.roles))]

    def follow(self, state: Any, words: tuple[str, ...]) -> Any:
        return (*state, int(words[self.at(state)[0]]))

    def over(self, state: Any) -> bool:
        return isinstance(self.at(state), tuple)

    def reward(self, state: Any) -> tuple[int | None, ...]:
        node = self.at(state)
        return node if isinstance(node, tuple) else (None,) * len(self.roles)


class Stuck(PythonGame):
    """Left may go or stop; after `stop` right has no legal move, though the game is not over. Goals 80 and 20 there."""

    roles = ("left", "right")
    start = "begin"

    def words(self, state: Any) -> list[list[str]]:
        return [["go", "stop"], [NOOP]] if state == "begin" else [["on"], []]

    def follow(self, _state: Any, words: tuple[str, ...]) -> Any:
        return words[0]

    def over(self, state: Any) -> bool:
        return state == "go"

    def reward(self, state: Any) -> tuple[int | None, ...]:
        return (80, 20) if state == "stop" else (None, 100) if state == "go" else (None, None)


class Costly:
    """A machine whose calls cost known time on a fake clock; counts its calls by name.

    With `first_only`, a call costs its price the first time alone, as where something is compiled then.
    """

    def __init__(self, game: PythonGame, clock: FakeClock, prices: dict[str, float]) -> None:
        self.game, self.clock, self.prices = game, clock, prices
        self.roles, self.engine, self.sizes, self.lanes = game.roles, game.engine, game.sizes, game.lanes
        self.points = game.points
        self.calls: dict[str, int] = {}
        self.first_only = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.game, name)

        def priced(*arguments: Any) -> Any:
            self.calls[name] = self.calls.get(name, 0) + 1
            result = method(*arguments)
            if not self.first_only or self.calls[name] == 1:
                self.clock.time += self.prices.get(name, 0.0)
            if isinstance(result, Playouts):
                self.clock.time += self.prices.get("step", 0.0) * int(result.lengths.sum())
            return result

        return priced


def minimax(game: PythonGame, state: Any, searcher: int) -> tuple[float, ...]:
    """The slow twin of proofs: exact goals of a turn-taking game, ties of others against `searcher`, no memory."""
    if game.over(state):
        return tuple(float(goal or 0) for goal in game.reward(state))
    words = game.words(state)
    mover = max(range(len(words)), key=lambda role: len(words[role]))
    followers = []
    for word in words[mover]:
        joint = tuple(word if role == mover else own[0] for role, own in enumerate(words))
        followers.append(minimax(game, game.follow(state, joint), searcher))
    if game.roles[mover] == "random":
        return tuple(sum(column) / len(followers) for column in zip(*followers, strict=True))
    return max(followers, key=lambda goals: (goals[mover], 0 if mover == searcher else -goals[searcher]))
