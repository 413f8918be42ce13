"""A table of all states of a small game, with the exact value of each: also with chance and simultaneous moves."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.chance import is_chance
from search.clock import Clock, MonotonicClock
from search.errors import UnopposedError, UnsolvableError
from search.native.tree import pack, words_for
from search.solver.backward_induction import (
    SETTLED,
    MatrixWork,
    Players,
    Values,
    matrix_of,
    matrix_work,
    settle,
    settle_ends,
    values_of,
)
from search.solver.solver import circuit_of
from search.solver.state_space import (
    COMPLETE,
    FULL,
    MORE,
    STATES,
    explore,
    state_bytes,
    state_number,
    state_space,
    workspace,
)

SLICE_SECONDS = 0.01
MAX_PLAYERS = 2
MAX_STATES = 1 << 28
MAX_MATRIX = 500
"""Maximum moves of each player where both choose; the simplex method then takes at most about a second."""
NEVER_OPPOSED = -1.0
LEAST_PROBABILITY = 1e-9


class Option(NamedTuple):
    """A move of a role with its probability in an optimal strategy."""

    move: str
    probability: float


class StateTable:
    """All states that can be reached from a position, with their values.

    state:      the position; by default the initial state.
    memory_mib: memory for the states.

    Raises UnsolvableError if the machine has no circuit, hides information, or has more than two players. `run` raises
    it if there are too many states for the memory, or if positions repeat, and UnopposedError if the goals of two
    players have different sums.
    """

    def __init__(
        self, machine: Machine, state: State | None = None, *, memory_mib: int = 512, clock: Clock | None = None
    ) -> None:
        self._root = machine.initial() if state is None else state
        self._machine = circuit_of(machine, self._root)
        self._players = players = _players(machine)
        self._clock = clock or MonotonicClock()
        circuit = self._machine.circuit
        words = words_for(circuit.searched)
        size = min((memory_mib << 20) // state_bytes(words, len(machine.roles)), MAX_STATES)
        self._space = state_space(size, words, len(machine.roles))
        self._program = self._machine.lanes_program
        self._workspace = workspace(self._program, self._machine.rows, words)
        self._starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
        self._opposed = _sum_of_goals(self._machine, players)
        self._values: Values | None = None
        self._matrix = matrix_work(1, 1, 1)
        state_number(self._space, self._packed(self._root), True)
        self.solved = False

    @property
    def states(self) -> int:
        """The number of states found so far."""
        return int(self._space.counts[STATES])

    def run(self, seconds: float, stop: Callable[[], bool] | None = None) -> bool:
        """Find all states, then their values, for at most `seconds` in total; return whether the values are known.

        A later call continues the work. `stop` is called often; if it returns true, the work stops.
        """
        end, size, step = self._clock.now() + seconds, 1, self._explore if self._values is None else self._settle
        while not self.solved:
            began = self._clock.now()
            if began >= end or (stop is not None and stop()):
                return False
            if not step(size):
                step, size = self._settle, 1
            elif self._clock.now() - began > SLICE_SECONDS:
                size = max(size // 2, 1)
            else:
                size *= 2
        return True

    def _explore(self, blocks: int) -> bool:
        """Find states; False: all are known."""
        code = int(explore(self._space, self._workspace, self._program, self._starts, blocks))
        if code == FULL:
            raise UnsolvableError(f"there are more than {self.states:,} states: too many for the memory")
        if code == COMPLETE:
            self._begin_settling()
        return code == MORE

    def _begin_settling(self) -> None:
        space, count = self._space, self.states
        self._matrix = _matrix_work_for(space.choices[:count], self._players)
        self._values = values_of(count, int(space.first[count]))
        if not settle_ends(space, self._players, self._opposed, self._values):
            raise UnopposedError("the goals of two final positions have different sums: there is no exact value")

    def _settle(self, most: int) -> bool:
        """Compute values; False: nothing is left to compute."""
        assert self._values is not None
        if settle(self._space, self._players, self._opposed, self._values, self._matrix, most):
            return True
        if self._values.counts[SETTLED] < self.states:
            raise UnsolvableError("positions repeat: the rules do not end every game")
        self.solved = True
        return False

    def goals(self, state: State | None = None) -> tuple[float, ...]:
        """Return the goal of each role with best play, by default in the first position.

        If moves are drawn, these are expected goals. The role that makes chance moves has goal 0.
        """
        value, goals = float(self._known.value[self._number(state)]), [0.0] * len(self._machine.roles)
        goals[self._players.first] = value
        if self._players.second >= 0:
            goals[self._players.second] = self._opposed - value
        return tuple(round(goal) if isclose(goal, round(goal), abs_tol=1e-9) else goal for goal in goals)

    def distance(self, state: State | None = None) -> int:
        """Return the number of joint moves to the end with best play; the largest number, if moves are drawn."""
        return int(self._known.distance[self._number(state)])

    def options(self, state: State, role: int) -> list[Option]:
        """Return the moves of a player in an optimal strategy in a state.

        If no other player chooses, these are the optimal moves that end the game in `distance` joint moves, with equal
        probabilities.
        """
        own, number = self._machine.legal(state)[role], self._number(state)
        if len(own) == 1:
            return [Option(str(own[0]), 1.0)]
        rows, columns, value = matrix_of(self._space, self._players, self._known, number, self._matrix)
        first = role == self._players.first
        if (columns if first else rows) == 1:
            size = rows * columns
            good = np.flatnonzero(np.isclose(self._matrix.game[:size], value, rtol=0, atol=1e-9))
            lengths = self._matrix.lengths[good]
            wanted = int(self._known.distance[number]) - 1
            shares = np.zeros(size)
            shares[good[lengths == wanted] if (lengths == wanted).any() else good] = 1
            shares /= shares.sum()
        else:
            shares = (self._matrix.row_mix[:rows] if first else self._matrix.column_mix[:columns]).copy()
        return [Option(str(own[i]), float(shares[i])) for i in np.flatnonzero(shares > LEAST_PROBABILITY).tolist()]

    def mixed(self) -> tuple[tuple[Option, ...], ...]:
        """Return an optimal strategy of each role in the first position; () unless both players choose there."""
        legal = () if self._machine.terminal(self._root) else self._machine.legal(self._root)
        if not all(legal):  # a role without a move ends the game
            return ()
        choosing = [role for role, own in enumerate(legal) if len(own) > 1 and role != self._players.chance]
        if len(choosing) < MAX_PLAYERS:
            return ()
        roles = range(len(self._machine.roles))
        return tuple(tuple(self.options(self._root, role)) if role in choosing else () for role in roles)

    def line(self, most: int) -> tuple[str, ...]:
        """Return the moves of best play from the first position, at most `most`, while nothing is drawn."""
        state, line = self._root, list[str]()
        while not self._machine.terminal(state) and len(line) < most:
            legal, joint = self._machine.legal(state), list[Term]()
            if not all(legal):  # a role without a move ends the game
                return tuple(line)
            for role, own in enumerate(legal):
                if len(own) == 1:
                    joint.append(own[0])
                    continue
                if role == self._players.chance:
                    return tuple(line)
                options = self.options(state, role)
                if len(options) > 1 and sum(len(each) > 1 for each in legal) > 1:
                    return tuple(line)
                joint.append(next(move for move in own if str(move) == options[0].move))
            line += [str(move) for move, own in zip(joint, legal, strict=True) if len(own) > 1]
            state = self._machine.next(state, joint)
        return tuple(line)

    @property
    def _known(self) -> Values:
        assert self._values is not None, "the table is not finished"
        return self._values

    def _number(self, state: State | None) -> int:
        number = state_number(self._space, self._packed(self._root if state is None else state), False)
        if number < 0:
            raise ValueError("play does not reach this state from the position of the table")
        return int(number)

    def _packed(self, state: State) -> Words:
        assert isinstance(state, bytes)
        return pack(self._machine.bits(state)[: self._machine.circuit.searched])


def _matrix_work_for(choices: Ints, players: Players) -> MatrixWork:
    """Return work memory for the largest matrix of a game. Raises UnsolvableError."""
    rows = choices[:, players.first].astype(np.int64)
    columns = choices[:, players.second].astype(np.int64) if players.second >= 0 else np.ones_like(rows)
    both = (rows > 1) & (columns > 1)
    most = [int(own[both].max(initial=1)) for own in (rows, columns)]
    if max(most) > MAX_MATRIX:
        raise UnsolvableError(f"both players choose at once among up to {max(most)} moves: more than {MAX_MATRIX}")
    return matrix_work(int((rows * columns).max()), *most)


def _players(machine: Machine) -> Players:
    players = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
    chance = [role for role, name in enumerate(machine.roles) if is_chance(name)]
    if not 1 <= len(players) <= MAX_PLAYERS:
        raise UnopposedError(f"the solver needs one or two players; this game has {len(players)}")
    if len(chance) > 1:
        raise UnsolvableError(f"the solver supports one chance role; this game has {len(chance)}")
    return Players(players[0], players[1] if len(players) > 1 else -1, chance[0] if chance else -1)


def _sum_of_goals(machine: CircuitMachine, players: Players) -> float:
    """Return the sum of the goals of two opposed players: the best of one and the worst of the other."""
    if players.second < 0:
        return NEVER_OPPOSED
    values = [
        [value for role, value, _ in machine.circuit.goals.tolist() if role == each]
        for each in (players.first, players.second)
    ]
    if not all(values):
        raise UnsolvableError("the solver needs goals of every player")
    return float(max(values[0]) + min(values[1]))
