"""Step counter of a game: the bases that no move influences, such as turn markers and counters of steps.

Their values in each step are the same in all plays, so running them finds all their settings: a sequence that ends in a
cycle. Subgames may share the step counter. A *phase* is a setting of those bases of the step counter that legality and
dynamics read. Within one phase, the rules of the subgames are simpler.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.step_counter import advance
from reasoner.circuit.traversal import mark
from search.factoring.limits import MAX_COUNTED, MAX_PHASES, TooLargeError
from search.factoring.supports import Supports, members

Phase = tuple[tuple[int, bool], ...]
"""A setting: bases of the step counter and their values."""


def step_counter_of(circuit: Circuit, over_bases: Supports, acts: Bools) -> int:
    """Return the set of searched bases that depend on no move, directly or through other bases.  # acts [nodes]."""
    reads = [over_bases.of(literal) for literal in circuit.next[: circuit.searched].tolist()]
    counter = sum(1 << base for base in range(circuit.searched) if not acts[circuit.next[base] >> 1])
    while True:
        kept = sum(1 << base for base in members(counter) if not reads[base] & ~counter)
        if kept == counter:
            return counter
        counter = kept


def phases(circuit: Circuit, counter: int, read: int) -> tuple[list[Phase], list[int]]:
    """Return the settings of the bases in `read`, a part of the step counter, and per step the number of its setting.

    The last step is the first in which the whole step counter has the same values as in an earlier step.
    """
    bases, shown = members(counter), members(read)
    if not shown:
        return [()], [0]
    first = 1 + len(circuit.bases) + len(circuit.legal)
    under, value = np.zeros((2, first + len(circuit.left)), np.bool_)
    mark(circuit.left, circuit.right, first, circuit.next[bases], under)
    gates, own = np.flatnonzero(under[first:]), np.array(bases)
    value[1 + own] = circuit.initial[own]
    seen: set[bytes] = set()
    found: dict[Phase, int] = {}
    times = []

    def shows() -> int:
        return found.setdefault(tuple((base, bool(value[1 + base])) for base in shown), len(found))

    while (setting := value[1 + own].tobytes()) not in seen:
        seen.add(setting)
        times.append(shows())
        if len(found) > MAX_PHASES or len(seen) * (len(gates) + len(bases)) > MAX_COUNTED:
            raise TooLargeError("legality and dynamics change with the step counter in too many ways")
        advance(circuit.left, circuit.right, first, gates, circuit.next, own, value)
    return list(found), [*times, shows()]
