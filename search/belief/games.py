"""Many games stepped together, with the percepts of each role: in lanes, or one by one on any machine.

Moves are numbered per role. Percepts of a role are represented by keys, which are equal if the percepts are equal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Bytes, Floats, Ints, Longs
from reasoner.batch import Batch
from reasoner.errors import StateError
from reasoner.kernels.hashing import hashed
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.points import worth
from search.belief.state_set import Observation

DRAWN, STAY = -1, -2
"""Actions in place of a move number: draw a move at random; do not step the game."""
IN_LANES, ONE_BY_ONE = 512, 32
"""Number of games that are stepped together."""

Actions = NDArray[np.int32]  # [room, roles]


class Games(ABC):
    """A group of up to `room` games of one machine; `put` or `begin` sets the states of the first games."""

    room: int
    steps = 0  # calls of `step`
    _moves: Sequence[Sequence[Term]]  # by role
    _numbers: list[dict[Term, int]]  # by role

    @abstractmethod
    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games; at most `room`. The others are undefined."""

    @abstractmethod
    def hold(self, states: Sequence[State]) -> None:
        """Store any number of states for `begin`."""

    @abstractmethod
    def begin(self, numbers: Longs) -> None:
        """Set the first games to stored states, by their numbers; at most `room`."""

    @abstractmethod
    def copy(self, count: int, times: int) -> None:
        """Set the first `count` * `times` games to `times` copies of the first `count` games; at most `room` games."""

    @abstractmethod
    def legal(self, role: int) -> Bools:
        """Return the legal moves of a role, by number.  # [room, moves]; later states may add columns."""

    def number(self, role: int, move: Term) -> int:
        """Return the number of a move; -1 if it was legal in no state so far."""
        return self._numbers[role].get(move, -1)

    def move(self, role: int, number: int) -> Term:
        """Return the move with a number."""
        return self._moves[role][number]

    @abstractmethod
    def step(self, actions: Actions) -> None:
        """Make the moves given by number, and draw the others; finished games stay as they are."""

    @abstractmethod
    def seen(self, role: int) -> list[Hashable]:
        """Return per game a key of the role's percepts of the last step."""

    @abstractmethod
    def marks(self, role: int) -> NDArray[np.uint64]:
        """Return per game a hash of the role's percepts of the last step.  # [room]."""

    @abstractmethod
    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:
        """Return the hash of percepts; None if they are impossible."""

    @abstractmethod
    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:
        """Return the key of percepts; None if they are impossible."""

    @abstractmethod
    def states(self) -> list[State]:
        """Return the current states."""

    @abstractmethod
    def over(self) -> Bools:
        """Whether each game is over, or has a role without a move.  # [room]."""

    @abstractmethod
    def values(self) -> Floats:
        """Return the goals of finished games, 0..1; 0 if undefined.  # [room, roles]."""


def games_of(machine: Machine, seed: int) -> Games:
    """Return the fastest `Games` of a machine."""
    return LaneGames(machine, seed) if isinstance(machine, CircuitMachine) else PlainGames(machine, seed)


class LaneGames(Games):
    """Games in lanes. Raises StateError on a state that the circuit cannot represent."""

    def __init__(self, machine: CircuitMachine, seed: int, room: int = IN_LANES) -> None:
        self.room = room
        self._batch = Batch(machine, room, seed, again=False)
        self._put = 0
        self._held = self._batch.states[:0]  # [states, bytes]
        self._moves = self._batch.moves
        self._numbers = [{move: i for i, move in enumerate(moves)} for moves in self._moves]

    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games."""
        self._put = len(states)
        if states:
            self._batch.put(states, np.arange(len(states)))

    def hold(self, states: Sequence[State]) -> None:
        """Store the rows of states."""
        self._held = np.array([np.frombuffer(self._packed(state), np.uint8) for state in states])

    def begin(self, numbers: Longs) -> None:
        """Set the first games to stored rows."""
        self._put_rows(self._held[numbers])

    def copy(self, count: int, times: int) -> None:
        """Set the games to copies of the first ones; see `Games.copy`."""
        self._put_rows(np.tile(self._batch.states[:count], (times, 1)))

    def _put_rows(self, rows: Bytes) -> None:
        self._put = len(rows)
        self._batch.put(rows, np.arange(len(rows)))

    @staticmethod
    def _packed(state: State) -> bytes:
        if not isinstance(state, bytes):
            raise StateError("the circuit cannot represent this state")
        return state

    def legal(self, role: int) -> Bools:
        """Return the legal moves of a role."""
        return self._batch.legal_of(role)

    def step(self, actions: Actions) -> None:
        """Step all games."""
        self.steps += 1
        actions[self._put :] = STAY
        self._batch.step(actions)

    def seen(self, role: int) -> list[Hashable]:
        """Return per game the bits of the percepts."""
        return [row.tobytes() for row in self._batch.perceived(role)]

    def marks(self, role: int) -> NDArray[np.uint64]:
        """Return per game a hash of the percepts' bits."""
        return hashed(self._batch.perceived(role))

    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:
        """Return the hash of the percepts' bits."""
        key = self.key(role, percepts)
        return int(hashed(np.frombuffer(key, np.uint64)[None])[0]) if isinstance(key, bytes) else None

    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:
        """Return the bits of percepts."""
        known, wanted = self._batch.percept_terms[role], _spelled(percepts)
        texts = [str(term).casefold() for term in known]
        if not wanted <= set(texts):
            return None
        bits = np.zeros(-(-len(known) // 64) * 64, np.bool_)
        bits[: len(known)] = [text in wanted for text in texts]
        return np.packbits(bits).tobytes()

    def states(self) -> list[State]:
        """Return the current states."""
        return [row.tobytes() for row in self._batch.states]

    def over(self) -> Bools:
        """Whether each game is over."""
        return self._batch.ended

    def values(self) -> Floats:
        """Return the goals as values."""
        return np.maximum(self._batch.goals, 0) / self._batch.machine.points


class PlainGames(Games):
    """Games on any machine, stepped one by one."""

    def __init__(self, machine: Machine, seed: int, room: int = ONE_BY_ONE) -> None:
        self.room = room
        self._machine = machine
        self._rng = Random(seed)
        self._states: list[State] = [machine.initial()] * room
        self._put = 0
        self._held: Sequence[State] = ()
        self._moves: list[list[Term]] = [[] for _ in machine.roles]
        self._numbers = [{} for _ in machine.roles]
        self._legal: list[tuple[tuple[Term, ...], ...]] = [()] * room
        self._over = np.ones(room, np.bool_)

    def put(self, states: Sequence[State]) -> None:
        """Set the states of the first games."""
        self._put = len(states)
        self._states[: len(states)] = states
        for game in range(len(states)):
            self._look(game)

    def hold(self, states: Sequence[State]) -> None:
        """Store states."""
        self._held = states

    def begin(self, numbers: Longs) -> None:
        """Set the first games to stored states."""
        self.put([self._held[number] for number in numbers.tolist()])

    def copy(self, count: int, times: int) -> None:
        """Set the games to copies of the first ones; see `Games.copy`."""
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
        """Return the legal moves of a role."""
        found = np.zeros((self.room, len(self._moves[role])), np.bool_)
        for game in range(self._put):
            found[game, [self._numbers[role][move] for move in self._legal[game][role]]] = True
        return found

    def step(self, actions: Actions) -> None:
        """Step all games that are not over."""
        self.steps += 1
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
        """Return per game the percepts themselves."""
        return [_spelled(self._machine.percepts(state)[role]) for state in self._states]

    def marks(self, role: int) -> NDArray[np.uint64]:
        """Return per game Python's hash of the percepts."""
        return np.array([hash(seen) for seen in self.seen(role)], np.int64).view(np.uint64)

    def mark(self, role: int, percepts: frozenset[Term]) -> int | None:  # noqa: ARG002 the signature of `Games`
        """Return Python's hash of the percepts."""
        return hash(_spelled(percepts)) % 2**64

    def key(self, role: int, percepts: frozenset[Term]) -> Hashable:  # noqa: ARG002 the signature of `Games`
        """Return the percepts, which are their own key."""
        return _spelled(percepts)

    def states(self) -> list[State]:
        """Return the current states."""
        return list(self._states)

    def over(self) -> Bools:
        """Whether each game is over."""
        return self._over.copy()

    def values(self) -> Floats:
        """Return the goals as values."""
        found = np.zeros((self.room, len(self._moves)))
        for game in np.flatnonzero(self._over[: self._put]).tolist():
            goals, points = self._machine.goal(self._states[game]), self._machine.points
            found[game] = [worth(goal, points) for goal in goals]
        return found


def _spelled(percepts: frozenset[Term]) -> frozenset[str]:
    """Return percepts as lower-case text: a manager may send rules in capitals and percepts in their original case."""
    return frozenset(str(percept).casefold() for percept in percepts)


def choices(games: Games, roles: int, role: int, seen: Observation, count: int) -> list[Bools]:
    """Return for each role which moves are possible in the first `count` games.  # per role [count, moves].

    For the other roles, these are the legal moves. For our `role`, it is the move that we made. If this move is
    unknown, or was requested but is not legal, all our legal moves are possible.
    """
    masks = [games.legal(one)[:count] for one in range(roles)]
    if seen.move is not None:
        masks[role] = _own(masks[role], games.number(role, seen.move), asked=seen.asked)
    return masks


def _own(legal: Bools, number: int, *, asked: bool) -> Bools:
    made = np.zeros_like(legal)
    if 0 <= number < legal.shape[1]:
        made[:, number] = legal[:, number]
    return np.where(made.any(axis=1, keepdims=True), made, legal) if asked else made


def drawn_among(mask: Bools, rng: np.random.Generator) -> Ints:
    """Draw a move per game uniformly; STAY if there is none.  # [games]."""
    games, moves = np.nonzero(mask)
    counts = np.bincount(games, minlength=len(mask))
    first = np.cumsum(counts) - counts
    places = first + (rng.random(len(mask)) * counts).astype(np.int64)
    return np.where(counts > 0, np.append(moves, STAY)[np.minimum(places, len(moves))], STAY).astype(np.int32)


def among(mask: Bools, numbers: Ints) -> Bools:
    """Whether `mask` allows the move of each game, given by number.  # mask [games, moves], numbers [games]."""
    if not mask.shape[1]:
        return np.zeros(len(numbers), np.bool_)
    found: Bools = mask[np.arange(len(numbers)), np.clip(numbers, 0, mask.shape[1] - 1)]
    found &= (numbers >= 0) & (numbers < mask.shape[1])
    return found
