"""Facts that decided a game: the goals change if any one of them is removed from the terminal state.

For example, this finds a winning line of five stones in any rules: without one of the stones, nobody has won. It also
finds facts that the last move removed, such as a captured king: with such a fact, the game would continue or have other
goals. Nothing is found if several causes are each sufficient.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from reasoner.errors import ReasonerError
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine

SECONDS = 0.5
"""Limit of processor seconds for the search for a cause; past the limit, no cause is returned."""
MAX_FACTS = 400
"""Maximum facts of a state that are tried."""


def cause(
    machine: RelationalMachine, state: State, before: State | None = None, clock: Callable[[], float] = time.thread_time
) -> Sequence[str]:
    """Return the deciding facts, sorted, then the facts of the previous state `before` whose loss decided.

    The result is empty if all roles have the same goal, `state` has too many facts, or time runs out. Facts of `state`
    are omitted if more than half of them would be deciding.
    """
    goals, facts = machine.goal(state), machine.facts(state)
    end = clock() + SECONDS
    if len(set(goals)) == 1 or len(facts) > MAX_FACTS:
        return ()
    lost = machine.facts(before) - facts if before is not None else frozenset()
    found, missed = [], []
    try:
        for fact in sorted(facts, key=str):
            if clock() > end:
                return ()
            if machine.goal(machine.state(facts - {fact})) != goals:
                found.append(str(fact))
        for fact in sorted(lost, key=str):
            if clock() > end:
                return ()
            other = machine.state(facts | {fact})
            if machine.goal(other) != goals or not machine.terminal(other):
                missed.append(str(fact))
    except ReasonerError:
        return ()
    return [*(found if 2 * len(found) <= len(facts) else ()), *missed]
