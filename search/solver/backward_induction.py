"""Values of all states of a game, from its ends backwards.

A state is settled when all states after it are. Where one player chooses, it takes the best value; where chance
chooses, all moves are equally likely; where both players choose at once, the value is that of the matrix game. Rules of
a well-formed game always end, so no state can be reached again (Love et al. 2008, "General game playing: game
description language specification"). States on a cycle are never settled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Ints, Longs
from reasoner.kernels import device_function, kernel
from reasoner.kernels.scalars import int64
from search.solver.matrix_game import matrix_value, saddle_point, tableau
from search.solver.state_space import STATES, StateSpace

TAKEN, SETTLED = 0, 1
"""Places of `Values.counts`: settled states whose parents were looked at; settled states."""


class Players(NamedTuple):
    """The indices of the roles, by what each role aims at."""

    first: int  # gets the value
    second: int  # wants the least value; -1: there is one player
    chance: int  # -1: none


class Values(NamedTuple):
    """Values of N states; those of the first player, in points."""

    value: Floats  # [N] value if all roles play perfectly
    distance: Ints  # [N] joint moves to the end: the winner hurries, the loser delays; if moves are mixed, the most
    left: Ints  # [N] the number of joint moves to states that are not settled
    queue: Ints  # [N] the settled states
    first: Longs  # [N + 2] where the states before a state begin in `parents`
    parents: Ints  # [E] the states before each state, once for each joint move
    counts: Longs  # [2] by TAKEN, SETTLED


class MatrixWork(NamedTuple):
    """Work memory for the matrix of one state; C is the most joint moves of a state."""

    game: Floats  # [C] the values, row by row
    lengths: Longs  # [C] the distance to the end after each pair of moves
    tableau: Floats
    row_mix: Floats  # [C] probabilities of the first player's moves
    column_mix: Floats  # [C] probabilities of the second player's moves


def values_of(states: int, edges: int) -> Values:
    """Allocate memory for `states` states and `edges` joint moves."""
    return Values(
        value=np.zeros(states),
        distance=np.zeros(states, np.int32),
        left=np.zeros(states, np.int32),
        queue=np.zeros(states, np.int32),
        first=np.zeros(states + 2, np.int64),
        parents=np.zeros(edges, np.int32),
        counts=np.zeros(2, np.int64),
    )


def matrix_work(size: int, rows: int, columns: int) -> MatrixWork:
    """Allocate work memory for matrices of `size` entries; where both players choose, of at most rows x columns."""
    return MatrixWork(
        np.zeros(size), np.zeros(size, np.int64), tableau(rows, columns), np.zeros(rows), np.zeros(columns)
    )


@kernel
def settle_ends(space: StateSpace, players: Players, opposed: float, values: Values) -> bool:
    """Find the states before each state, and settle the states where the game is over.

    opposed: the sum of the goals of both players. False if the goals have another sum at some end.
    """
    _find_parents(space, values)
    for state in range(space.counts[STATES]):
        values.left[state] = space.first[state + 1] - space.first[state]
        if values.left[state] == 0:
            goal = float(space.goals[state, players.first])
            if players.second >= 0 and goal + space.goals[state, players.second] != opposed:
                return False
            values.value[state] = goal
            values.queue[values.counts[SETTLED]] = state
            values.counts[SETTLED] += 1
    return True


@device_function
def _find_parents(space: StateSpace, values: Values) -> None:
    """Write the states before state s to `parents[first[s] : first[s + 1]]`."""
    count, first = space.counts[STATES], values.first
    for edge in range(space.first[count]):
        first[space.children[edge] + 2] += 1
    for state in range(count):
        first[state + 2] += first[state + 1]
    for state in range(count):
        for edge in range(space.first[state], space.first[state + 1]):
            child = space.children[edge]
            values.parents[first[child + 1]] = state
            first[child + 1] += 1


@kernel
def settle(space: StateSpace, players: Players, opposed: float, values: Values, work: MatrixWork, most: int) -> bool:
    """Take up to `most` settled states, and settle the states before them whose successors are all settled.

    opposed: as in `settle_ends`. False if no settled state is left to take.
    """
    for _ in range(most):
        if values.counts[TAKEN] == values.counts[SETTLED]:
            return False
        state = int64(values.queue[values.counts[TAKEN]])
        values.counts[TAKEN] += 1
        for place in range(values.first[state], values.first[state + 1]):
            parent = int64(values.parents[place])
            values.left[parent] -= 1
            if values.left[parent] == 0:
                _settle_state(space, players, 0.5 * opposed, values, parent, work)
                values.queue[values.counts[SETTLED]] = parent
                values.counts[SETTLED] += 1
    return True


@device_function
def _settle_state(
    space: StateSpace, players: Players, even: float, values: Values, state: int, work: MatrixWork
) -> None:
    rows, columns = fill_matrix(space, players, values, state, work)
    low, high = saddle_point(work.game, rows, columns)
    value, longest, steps = low, 0, -1
    if high > low + 1e-9:
        value = matrix_value(work.game, rows, columns, work.tableau, work.row_mix, work.column_mix)
    for place in range(rows * columns):
        length = work.lengths[place]
        longest = max(longest, length)
        if work.game[place] == value and (rows == 1 or columns == 1):
            hurries = value > even if columns == 1 else value < even
            if steps < 0 or (length < steps if hurries else length > steps):
                steps = length
    values.value[state] = value
    values.distance[state] = 1 + (steps if steps >= 0 else longest)


@device_function
def fill_matrix(space: StateSpace, players: Players, values: Values, state: int, work: MatrixWork) -> tuple[int, int]:
    """Write the matrix of a state: for each pair of moves of the players, the value and the distance to the end.

    Over the chance moves, the value is the mean and the distance the maximum. Returns the number of moves of the first
    player and of the second.
    """
    rows = int64(space.choices[state, players.first])
    columns = int64(space.choices[state, players.second]) if players.second >= 0 else 1
    chances = int64(space.choices[state, players.chance]) if players.chance >= 0 else 1
    for place in range(rows * columns):
        work.game[place], work.lengths[place] = 0.0, 0
    for edge in range(space.first[state], space.first[state + 1]):
        joint, row, column = edge - space.first[state], 0, 0
        for back in range(space.choices.shape[1]):
            role = space.choices.shape[1] - 1 - back
            size = int64(space.choices[state, role])
            if role == players.first:
                row = joint % size
            elif role == players.second:
                column = joint % size
            joint //= size
        place, child = row * columns + column, space.children[edge]
        work.game[place] += values.value[child] / chances
        work.lengths[place] = max(work.lengths[place], int64(values.distance[child]))
    return rows, columns


@kernel
def matrix_of(
    space: StateSpace, players: Players, values: Values, state: int, work: MatrixWork
) -> tuple[int, int, float]:
    """Compute the matrix of a state, and optimal mixed strategies if both choose; return rows, columns and value."""
    rows, columns = fill_matrix(space, players, values, state, work)
    value, _ = saddle_point(work.game, rows, columns)
    if rows > 1 and columns > 1:
        value = matrix_value(work.game, rows, columns, work.tableau, work.row_mix, work.column_mix)
    return rows, columns, value
