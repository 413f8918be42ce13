"""Which facts of a game's end made it what it is: those without any of which the goals would be others.

A line of five is found so in any rules: without one of its stones nobody has won. So is what is missing, as a king that
was captured: of the facts that the last move took away, those with any of which the game would go on, or end otherwise.
Nothing is found where more than one reason is enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from reasoner.errors import ReasonerError
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine

SECONDS = 0.5
"""How long may be looked; what takes longer has no cause."""
MAX_FACTS = 400
"""Facts of a state that are tried."""


def cause(
    machine: RelationalMachine, state: State, before: State | None = None, clock: Callable[[], float] = time.monotonic
) -> Sequence[str]:
    """The facts that decided, sorted, and those of `before`, the position before, whose loss decided, after them.

    None where all roles have the same goal, where there is no time, or where most facts of the end did.
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
