"""Many games stepped together, with what each role saw of each step: in lanes, or one by one on any machine.

Moves are numbers, per role; what a role saw is a key, equal where the percepts are equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Bytes, Floats, Longs
from reasoner.batch import Batch
from reasoner.errors import StateError
from reasoner.kernels.hashing import hashed
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.points import worth

DRAWN, STAY = -1, -2
"""Actions: a move drawn at random; the game stays as it is."""
IN_LANES, ONE_BY_ONE = 512, 32
"""Games that are stepped together."""

Actions = NDArray[np.int32]  # [room, roles]


class Games(Protocol):
    """`room` games, of which the last `put` has set the first."""

    room: int

    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games; at most `room`. The others are not looked at."""

    def hold(self, states: Sequence[State]) -> None:
        """Keep states, any number of them, for `begin`."""

    def begin(self, numbers: Longs) -> None:
        """Set the first games to states that are held, by their numbers; at most `room`."""

    def copy(self, count: int, times: int) -> None:
        """Have the first `count` games so many times, one set after the other; at most `room` games."""

    def legal(self, role: int) -> Bools:
        """Which moves a role has, by number.  # [room, moves]; more columns may come with later states."""

    def number(self, role: int, move: Term) -> int:
        """The number of a move; -1 for one that no state seen has."""

    def move(self, role: int, number: int) -> Term:
        """The move with a number."""

    def step(self, actions: Actions) -> None:
        """Make the moves given by number, and draw the others; games that are over stay as they are."""

    def seen(self, role: int) -> list[Hashable]:
        """Per game a key of what the role saw of the last step."""

    def marks(self, role: int) -> NDArray[np.uint64]:
        """Per game a hash of what the role saw of the last step.  # [room]."""

    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:
        """The hash of percepts; None for what can never be seen."""

    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:
        """The key of percepts; None for what can never be seen."""

    def states(self) -> list[State]:
        """The states as they are."""

    def over(self) -> Bools:
        """Which games are over, or have a role without a move.  # [room]."""

    def values(self) -> Floats:
        """Goals of games that are over, 0..1; 0 where there is none.  # [room, roles]."""


def games_of(machine: Machine, seed: int) -> Games:
    """The fastest games of a machine."""
    return LaneGames(machine, seed) if isinstance(machine, CircuitMachine) else PlainGames(machine, seed)


class LaneGames:
    """Games in lanes. Raises StateError on a state that the circuit cannot hold."""

    def __init__(self, machine: CircuitMachine, seed: int, room: int = IN_LANES) -> None:
        self.room = room
        self._batch = Batch(machine, room, seed, again=False)
        self._put = 0
        self._held = self._batch.states[:0]  # [states, bytes]
        self._numbers = [{move: i for i, move in enumerate(moves)} for moves in self._batch.moves]

    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games."""
        self._put = len(states)
        if states:
            self._batch.put(states, np.arange(len(states)))

    def hold(self, states: Sequence[State]) -> None:
        """Keep the rows of states."""
        self._held = np.array([np.frombuffer(self._packed(state), np.uint8) for state in states])

    def begin(self, numbers: Longs) -> None:
        """Set the first games to rows that are held."""
        self._put_rows(self._held[numbers])

    def copy(self, count: int, times: int) -> None:
        """Have the first games several times."""
        self._put_rows(np.tile(self._batch.states[:count], (times, 1)))

    def _put_rows(self, rows: Bytes) -> None:
        self._put = len(rows)
        self._batch.put(rows, np.arange(len(rows)))

    @staticmethod
    def _packed(state: State) -> bytes:
        if not isinstance(state, bytes):
            raise StateError("a state that the circuit cannot hold")
        return state

    def legal(self, role: int) -> Bools:
        """Which moves a role has."""
        return self._batch.legal_of(role)

    def number(self, role: int, move: Term) -> int:
        """The number of a move."""
        return self._numbers[role].get(move, -1)

    def move(self, role: int, number: int) -> Term:
        """The move with a number."""
        return self._batch.moves[role][number]

    def step(self, actions: Actions) -> None:
        """Make a step of all games."""
        actions[self._put :] = STAY
        self._batch.step(actions)

    def seen(self, role: int) -> list[Hashable]:
        """Per game a key of percepts: their bits."""
        return [row.tobytes() for row in self._batch.perceived(role)]

    def marks(self, role: int) -> NDArray[np.uint64]:
        """Per game a hash of the bits of percepts."""
        return hashed(self._batch.perceived(role))

    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:
        """The hash of the bits of percepts."""
        key = self.key(role, percepts)
        return int(hashed(np.frombuffer(key, np.uint64)[None])[0]) if isinstance(key, bytes) else None

    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:
        """The bits of percepts."""
        known, wanted = self._batch.percept_terms[role], _spelled(percepts)
        texts = [str(term).casefold() for term in known]
        if not wanted <= set(texts):
            return None
        bits = np.zeros(-(-len(known) // 64) * 64, np.bool_)
        bits[: len(known)] = [text in wanted for text in texts]
        return np.packbits(bits).tobytes()

    def states(self) -> list[State]:
        """The states as they are."""
        return [row.tobytes() for row in self._batch.states]

    def over(self) -> Bools:
        """Which games are over."""
        return self._batch.ended

    def values(self) -> Floats:
        """Goals as values."""
        return np.maximum(self._batch.goals, 0) / self._batch.machine.points


class PlainGames:
    """The same on any machine, game by game."""

    def __init__(self, machine: Machine, seed: int, room: int = ONE_BY_ONE) -> None:
        self.room = room
        self._machine = machine
        self._rng = Random(seed)
        self._states: list[State] = [machine.initial()] * room
        self._put = 0
        self._held: Sequence[State] = ()
        self._moves: list[list[Term]] = [[] for _ in machine.roles]
        self._numbers: list[dict[Term, int]] = [{} for _ in machine.roles]
        self._legal: list[tuple[tuple[Term, ...], ...]] = [()] * room
        self._over = np.ones(room, np.bool_)

    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games."""
        self._put = len(states)
        self._states[: len(states)] = states
        for game in range(len(states)):
            self._look(game)

    def hold(self, states: Sequence[State]) -> None:
        """Keep states."""
        self._held = states

    def begin(self, numbers: Longs) -> None:
        """Set the first games to states that are held."""
        self.put([self._held[number] for number in numbers.tolist()])

    def copy(self, count: int, times: int) -> None:
        """Have the first games several times."""
        self.put(self._states[:count] * times)

    def _look(self, game: int) -> None:
        state = self._states[game]
        legal = self._machine.legal(state)
        self._over[game] = self._machine.terminal(state) or not all(legal)
        self._legal[game] = legal
        for role, moves in enumerate(legal):
            for move in moves:
                if move not in self._numbers[role]:
                    self._numbers[role][move] = len(self._moves[role])
                    self._moves[role].append(move)

    def legal(self, role: int) -> Bools:
        """Which moves a role has."""
        found = np.zeros((self.room, len(self._moves[role])), np.bool_)
        for game in range(self._put):
            found[game, [self._numbers[role][move] for move in self._legal[game][role]]] = True
        return found

    def number(self, role: int, move: Term) -> int:
        """The number of a move."""
        return self._numbers[role].get(move, -1)

    def move(self, role: int, number: int) -> Term:
        """The move with a number."""
        return self._moves[role][number]

    def step(self, actions: Actions) -> None:
        """Make a step of all games that are not over."""
        for game in range(self._put):
            if not self._over[game] and (actions[game] != STAY).all():
                chosen = actions[game].tolist()
                joint = [
                    self._rng.choice(moves) if number == DRAWN else self._moves[role][number]
                    for role, (number, moves) in enumerate(zip(chosen, self._legal[game], strict=True))
                ]
                self._states[game] = self._machine.next(self._states[game], joint)
                self._look(game)

    def seen(self, role: int) -> list[Hashable]:
        """Per game the percepts themselves."""
        return [_spelled(self._machine.percepts(state)[role]) for state in self._states]

    def marks(self, role: int) -> NDArray[np.uint64]:
        """Per game Python's hash of the percepts."""
        return np.array([hash(seen) for seen in self.seen(role)], np.int64).view(np.uint64)

    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:  # noqa: ARG002 as a batch takes it
        """Python's hash of the percepts."""
        return hash(_spelled(percepts)) % 2**64

    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:  # noqa: ARG002 as a batch takes it
        """Percepts are their own key."""
        return _spelled(percepts)

    def states(self) -> list[State]:
        """The states as they are."""
        return list(self._states)

    def over(self) -> Bools:
        """Which games are over."""
        return self._over.copy()

    def values(self) -> Floats:
        """Goals as values."""
        found = np.zeros((self.room, len(self._moves)))
        for game in np.flatnonzero(self._over[: self._put]).tolist():
            goals, points = self._machine.goal(self._states[game]), self._machine.points
            found[game] = [worth(goal, points) for goal in goals]
        return found


def _spelled(percepts: frozenset[Term]) -> frozenset[str]:
    """Percepts without regard to capitals: a manager may send rules in capitals and percepts as they are written."""
    return frozenset(str(percept).casefold() for percept in percepts)
