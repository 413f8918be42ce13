"""Which facts of a game's end made it what it is: those without any of which the goals would be others.

A line of five is found so in any rules: without one of its stones nobody has won. Nothing is found where more than one
reason is enough, or where something that is missing decides, as a king that was captured.
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


def cause(machine: RelationalMachine, state: State, clock: Callable[[], float] = time.monotonic) -> Sequence[str]:
    """The facts that decided, sorted; none where all roles have the same, where there is no time, or most facts did."""
    goals, facts = machine.goal(state), machine.facts(state)
    end = clock() + SECONDS
    if len(set(goals)) == 1 or len(facts) > MAX_FACTS:
        return ()
    found = []
    try:
        for fact in sorted(facts, key=str):
            if clock() > end:
                return ()
            if machine.goal(machine.state(facts - {fact})) != goals:
                found.append(str(fact))
    except ReasonerError:
        return ()
    return found if 2 * len(found) <= len(facts) else ()
