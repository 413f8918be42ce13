"""The step counter of a game: the bases that no move influences, as control in turn and counters of steps.

They go one way from the initial state, so the settings they pass through are found by running them: a line that ends
in a circle. Subgames may share the step counter; under one *phase*, a setting of what legality and dynamics read of it,
their rules are simpler.
"""

from __future__ import annotations

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from search.factoring.limits import MAX_COUNTED, MAX_PHASES, TooLargeError
from search.factoring.supports import Supports, members

Phase = tuple[tuple[int, bool], ...]
"""Bases of the step counter and their values."""


def step_counter_of(circuit: Circuit, over_bases: Supports, acts: Bools) -> int:
    """The set of searched bases that depend on no move, nor on any base that does.  # acts [nodes]."""
    reads = [over_bases.of(literal) for literal in circuit.next[: circuit.searched].tolist()]
    counter = sum(1 << base for base in range(circuit.searched) if not acts[circuit.next[base] >> 1])
    while True:
        kept = sum(1 << base for base in members(counter) if not reads[base] & ~counter)
        if kept == counter:
            return counter
        counter = kept


def phases(circuit: Circuit, counter: int, read: int) -> tuple[list[Phase], list[int]]:
    """The settings of the bases in `read`, a part of the step counter, that it shows, and their numbers in time.

    The times end where the step counter has come round: the last setting is one that was there before.
    """
    bases, shown = members(counter), members(read)
    if not shown:
        return [()], [0]
    gates = _gates(circuit, bases)
    value = {0: False} | {base + 1: bool(circuit.initial[base]) for base in bases}
    seen: set[tuple[bool, ...]] = set()
    found: dict[Phase, int] = {}
    times = []
    while (setting := tuple(value[base + 1] for base in bases)) not in seen:
        seen.add(setting)
        times.append(found.setdefault(tuple((base, value[base + 1]) for base in shown), len(found)))
        if len(found) > MAX_PHASES or len(seen) * (len(gates) + len(bases)) > MAX_COUNTED:
            raise TooLargeError("what may be done changes with the step counter in too many ways")
        _step(circuit, value, gates, bases)
    return list(found), [*times, found[tuple((base, value[base + 1]) for base in shown)]]


def _step(circuit: Circuit, value: dict[int, bool], gates: list[tuple[int, int, int]], bases: list[int]) -> None:
    for node, left, right in gates:
        value[node] = (value[left >> 1] ^ bool(left & 1)) and (value[right >> 1] ^ bool(right & 1))
    following = [(base + 1, int(circuit.next[base])) for base in bases]
    value.update([(node, value[literal >> 1] ^ bool(literal & 1)) for node, literal in following])


def _gates(circuit: Circuit, bases: list[int]) -> list[tuple[int, int, int]]:
    """The gates under the next values of the step counter, each after those it reads: nodes and literals."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    waiting, seen = [int(circuit.next[base]) >> 1 for base in bases], set()
    while waiting:
        node = waiting.pop()
        if node >= first and node not in seen:
            seen.add(node)
            waiting += [int(circuit.left[node - first]) >> 1, int(circuit.right[node - first]) >> 1]
    order = _topological(seen, circuit, first)
    return [(node, int(circuit.left[node - first]), int(circuit.right[node - first])) for node in order]


def _topological(nodes: set[int], circuit: Circuit, first: int) -> list[int]:
    """Gates are numbered after those they read."""
    assert all(max(circuit.left[n - first], circuit.right[n - first]) >> 1 < n for n in nodes)
    return sorted(nodes)
