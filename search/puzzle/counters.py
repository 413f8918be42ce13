"""Counters of a game of one role: bases that no move influences and that no legality or effect of a move reads.

Two states that differ only in counters have the same continuations; the state that is reached earlier has more time.
All other bases are *key* bases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import read
from reasoner.circuit.traversal import mark, spread
from search.factoring.effects import again
from search.factoring.gates import going

MAX_GATES_FOLDED = 4_000_000
"""Maximum number of gates that are folded to evaluate counters; takes about half a second."""


@dataclass(frozen=True, eq=False)
class Counters:
    """The counters of a game; S searched bases."""

    key: Bools  # [S] the bases that distinguish states
    last: int | None  # steps after which the game is over whatever the moves; None: no such number
    end: Bools | None  # the values of the counters after `last` steps  # [counters]
    steady: bool  # before `last` steps, terminal and goals do not depend on the counters


def counters_of(circuit: Circuit, state: Bools) -> Counters:
    """Find the counters of a circuit, and evaluate them in a state and the steps after it.  # state [S]."""
    key = _key(circuit)
    if key.all():
        return Counters(key, None, None, steady=True)
    return _run(circuit, state, key)


def _key(circuit: Circuit) -> Bools:
    """Return the bases that depend on moves, and those that they and legality read while the game goes on."""
    searched, first = circuit.searched, 1 + len(circuit.bases) + len(circuit.legal)
    following = circuit.next[:searched]
    marked = np.zeros(first + len(circuit.left), np.bool_)
    marked[1 + len(circuit.bases) : first] = True
    moved = np.zeros(searched, np.bool_)
    while True:  # each round but the last finds a base
        spread(circuit.left, circuit.right, first, marked)
        found = marked[following >> 1]
        if (found == moved).all():
            break
        moved |= found
        marked[1 : 1 + searched] |= moved
    key, circuit = moved, going(circuit, np.flatnonzero(~moved).tolist())
    following = circuit.next[:searched]
    while True:
        seen = np.zeros(len(marked), np.bool_)
        mark(circuit.left, circuit.right, first, np.concatenate((circuit.legal, following[key])), seen)
        found = key | seen[1 : 1 + searched]
        if (found == key).all():
            return key
        key = found


def _run(circuit: Circuit, state: Bools, key: Bools) -> Counters:
    """Run the counters, and evaluate the goals and the terminal condition at each time."""
    searched, first = circuit.searched, 1 + len(circuit.bases) + len(circuit.legal)
    read_of = np.concatenate(([circuit.terminal], circuit.goals[:, 2])).astype(np.int32)
    following = circuit.next[:searched][~key]
    seen = np.zeros(first + len(circuit.left), np.bool_)
    mark(circuit.left, circuit.right, first, np.concatenate((read_of, following)), seen)
    cone = (np.flatnonzero(seen[first:]) + first).astype(np.int32)
    graph, node = Graph(first - 1, MAX_GATES_FOLDED), np.zeros(len(seen), np.int32)
    node[1:first] = 2 * np.arange(1, first)
    now, past, looks = state[~key], set[bytes](), list[tuple[int, ...]]()
    while now.tobytes() not in past and len(past) * max(1, len(cone)) < MAX_GATES_FOLDED:
        past.add(now.tobytes())
        node[1 + np.flatnonzero(~key)] = np.where(now, TRUE, FALSE)
        again(graph.reserve(len(cone)), circuit.left, circuit.right, first, node, cone)
        over, *goals = read(node, read_of).tolist()
        if over == TRUE:
            return Counters(key, len(looks), now, steady=_alike(looks) and (not looks or tuple(goals) == looks[0][1:]))
        looks.append((over, *goals))
        after = read(node, following)
        if (after > TRUE).any():  # they depend on a base that is no counter
            return Counters(key, None, None, steady=False)
        now = after == TRUE
    return Counters(key, None, None, steady=now.tobytes() in past and _alike(looks))


def _alike(looks: list[tuple[int, ...]]) -> bool:
    return all(look == looks[0] for look in looks)
