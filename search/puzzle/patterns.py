"""Selection of facts for patterns (`projection`): the facts that the best goal fixes, with all that they depend on.

The next value of a fact reads other facts. A fact, together with all facts that it reads directly or indirectly, is a
*closed set*; examples are a cubie with its orientation, or a tile with the blank. Closed sets are joined while their
projection has few enough states.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.traversal import mark
from reasoner.lanes.machine import CircuitMachine
from search.puzzle.effects import implied
from search.puzzle.projection import Goal, Pattern, pattern

MAX_GATES_READ = 400_000_000
"""Maximum number of gates visited to find the facts that facts read; takes some tenths of a second."""
MAX_FACTS = 1500


def goal_of(circuit: Circuit) -> Goal:
    """Return the values of facts that the conjunctions of the best goal require."""
    found = Goal(np.zeros(circuit.searched, np.bool_), np.zeros(circuit.searched, np.bool_))
    if len(circuit.goals):
        best = max(circuit.goals.tolist(), key=lambda goal: goal[1])
        for base, value in implied(circuit, best[2]).items():
            if base < circuit.searched:
                found.required[base], found.value[base] = True, value
    return found


def closed_sets(circuit: Circuit, key: Bools, required: Bools) -> list[Bools]:
    """Return the closed sets of the facts that the goal fixes, without those inside others.  # [searched]."""
    if not (required & key).any() or key.sum() > MAX_FACTS or int(key.sum()) * len(circuit.left) > MAX_GATES_READ:
        return []
    reads = _reads(circuit, circuit.next[: circuit.searched]) & key
    sets = list[Bools]()
    for fact in np.flatnonzero(required & key).tolist():
        if not any(own[fact] for own in sets):  # else its closed set is inside that one
            sets.append(_closed(reads, fact))
    largest = [own for own in sets if not any((own <= other).all() and (own < other).any() for other in sets)]
    return [own for own in largest if (own != key).any()]


def always_legal(circuit: Circuit, key: Bools, within: Bools) -> Bools:
    """Return the moves that a projection on `within` treats as always legal.  # [moves].

    Their legality reads facts of `key` outside `within`.
    """
    found: Bools = np.logical_or.reduce(_reads(circuit, circuit.legal) & key & ~within, axis=1)
    return found


def patterns(machine: CircuitMachine, state: Bools, key: Bools, most: int) -> Generator[None, None, list[Pattern]]:
    """Return patterns of at most `most` states each that cover all closed sets that are not too large."""
    circuit, goal = machine.circuit, goal_of(machine.circuit)
    found, last, joined = list[Pattern](), None, np.zeros_like(key)
    for own in closed_sets(circuit, key, goal.required):
        both = joined | own
        wider = (yield from _made(machine, state, key, both, goal, most)) if last else None
        if wider is None:
            found += [last] if last else []
            both = own
            wider = yield from _made(machine, state, key, own, goal, most)
        last, joined = wider, both if wider else np.zeros_like(key)
    return [*found, last] if last else found


def _made(
    machine: CircuitMachine, state: Bools, key: Bools, own: Bools, goal: Goal, most: int
) -> Generator[None, None, Pattern | None]:
    free = always_legal(machine.circuit, key, own)
    return (yield from pattern(machine, state, own, goal, free, most))


def _reads(circuit: Circuit, literals: np.ndarray) -> Bools:
    """Return the searched bases that each literal reads.  # [literals, searched]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    found = np.zeros((len(literals), circuit.searched), np.bool_)
    for number, literal in enumerate(literals):
        seen = np.zeros(first + len(circuit.left), np.bool_)
        mark(circuit.left, circuit.right, first, np.array([literal], np.int32), seen)
        found[number] = seen[1 : 1 + circuit.searched]
    return found


def _closed(reads: Bools, fact: int) -> Bools:
    """Return the closed set of a fact.  # [facts]."""
    own = np.zeros(len(reads), np.bool_)
    wider = np.arange(len(reads)) == fact
    while (wider != own).any():
        own = wider
        wider = own | np.logical_or.reduce(reads[own])
    return own
