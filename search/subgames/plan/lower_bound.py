"""Lower bound on the steps to an end of the whole with a wanted value, from the subgames' distances.

At a time the whole may end if the diagram's root for it has a leaf of sufficient value. The cost of such an end is the
least sum of the subgames' costs of the vectors on a path to it. A step makes at most `acts` acting classes, so that an
end in n steps is ruled out if it costs more than ``acts * n``. It is also ruled out if the last j steps before it cost
more than ``acts * j`` from every state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints, Longs
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.scalars import int64
from search.subgames.plan.distances import NEVER

NO_END = 1 << 30
"""In place of a number of steps: there is no such end."""

DEAD = -1
"""As in `outcome_diagram`."""


class ProductTables(NamedTuple):
    """The tables for bounds and search; K subgames, N diagram nodes, T settings of the step counter, R rows."""

    following: Ints  # all subgames' tables of following states, concatenated
    following_base: Longs  # [K]
    classes: Longs  # [K]
    vector: Ints  # all subgames' states' vectors
    vector_base: Longs  # [K]
    costs: NDArray[np.uint16]  # see `distances`
    cost_base: Longs  # [K]
    states: Longs  # [K]
    vectors: Longs  # [K]
    exact: int
    acts: int
    levels: Longs  # [K + 2]
    first: Longs  # [N]
    edges: Ints
    over: Bools  # [N]
    value: Ints  # [N]
    root_of: Ints  # [T] the root of a time, or DEAD
    again: int  # the setting after the last, -1 if the game is over there
    rows: Ints  # [R, K]
    open_rows: Bools  # [phases, R] the rows that the step counter allows
    phase_of: Ints  # [T]
    stuck: bool  # whether the game may end for lack of moves


class Target(NamedTuple):
    """An end worth at least `value`."""

    value: int
    useful: Bools  # [N] whether such an end is below a node
    longest: Ints  # [N] for roots, the most steps of such an end from any state
    cost: Ints  # [N] scratch
    at: Longs  # [K] scratch


@subkernel
def time_after(board: ProductTables, time: int, steps: int) -> int:
    """Return the setting of the step counter some steps after another; -1 if the game is over before."""
    count = len(board.root_of)
    later = time + steps
    if later < count:
        return later
    return board.again + (later - board.again) % (count - board.again) if board.again >= 0 else -1


@subkernel
def cheapest(board: ProductTables, costs: NDArray[np.uint16], target: Target, root: int) -> int:
    """Return the least cost of a wanted end under a root; `target.at` has the start of each subgame's costs."""
    cost, kinds = target.cost, len(board.classes)
    cost[:] = NO_END
    cost[root] = 0
    for k in range(kinds):
        for node in range(board.levels[k], board.levels[k + 1]):
            if cost[node] == NO_END:
                continue
            for vector in range(board.vectors[k]):
                after = board.edges[board.first[node] + vector]
                if after != DEAD and target.useful[after]:
                    rest = int64(costs[target.at[k] + vector])
                    if rest != NEVER and cost[node] + rest < cost[after]:
                        cost[after] = cost[node] + rest
    least = NO_END
    for leaf in range(board.levels[kinds], board.levels[kinds + 1]):
        if target.useful[leaf]:
            least = min(least, cost[leaf])
    return least


@subkernel
def cost_in(board: ProductTables, target: Target, root: int, state: Ints, steps: int) -> int:
    """Return the least cost of a wanted end in so many steps.  # state [K]."""
    level = min(steps, board.exact + 1)
    for k in range(len(state)):
        target.at[k] = board.cost_base[k] + (level * board.states[k] + state[k]) * board.vectors[k]
    return cheapest(board, board.costs, target, root)


@subkernel
def leap(board: ProductTables, target: Target, state: Ints, steps: int) -> int:
    """Return the fewest steps, beyond the exact levels and at least `steps`, that suffice for an end at any time."""
    least = NO_END
    for root in range(board.levels[1]):
        if target.useful[root] and steps <= target.longest[root]:
            cost = cost_in(board, target, root, state, steps)
            if cost != NO_END and board.acts:
                least = min(least, max(steps, -(-cost // board.acts)))
    return least


@kernel
def steps_to_end(board: ProductTables, target: Target, time: int, state: Ints, least: int) -> int:
    """Return the fewest steps, at least `least`, to a possible wanted end; NO_END if there is none.  # state [K]."""
    steps, looked = least, 0
    while True:
        if steps > board.exact:
            steps = leap(board, target, state, steps)
            if steps == NO_END or looked > len(board.root_of):
                return steps
            looked += 1
        later = time_after(board, time, steps)
        if later < 0:
            return NO_END
        root = board.root_of[later]
        wanted = root != DEAD and target.useful[root] and steps <= target.longest[root]
        if wanted and cost_in(board, target, root, state, steps) <= board.acts * steps:
            return steps
        steps += 1


@kernel
def note_longest(board: ProductTables, target: Target, mins: NDArray[np.uint16], base: Longs) -> None:
    """Set `target.longest` by the least costs of the last steps, from any states.

    mins: of subgame k from ``base[k]`` on [levels 0 … exact][vectors].
    """
    for root in range(board.levels[1]):
        target.longest[root] = NO_END
        if not target.useful[root]:
            continue
        for steps in range(board.exact + 1):
            for k in range(len(base)):
                target.at[k] = base[k] + steps * board.vectors[k]
            if cheapest(board, mins, target, root) > board.acts * steps:
                target.longest[root] = steps - 1
                break
