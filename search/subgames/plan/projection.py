"""Subgame cut out of the whole for exploration: its own dynamics, and its share of the legality conditions.

A class of moves is open if one of its moves may be legal in some state of the other subgames. Factoring ensures that
each condition of a move's legality reads one subgame besides the step counter: a move of the whole is legal if all its
classes are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, GateStore, and_
from reasoner.circuit.restrict import Cut, read
from reasoner.circuit.traversal import spread
from reasoner.kernels import kernel
from search.factoring.factors import Subgame
from search.subgames.restricted_circuit import RestrictedCircuit

SPARE = 1 << 16
"""Gates for the classes' openings, above those of the circuit."""


MANY = 4
"""Signals without the step counter for one with it, above which the step counter stays in."""


def signals(circuit: Circuit, subgame: Subgame, counter: Sequence[int]) -> tuple[int, ...]:
    """Return the literals that goals and termination read of a subgame, if possible without the step counter.

    The step counter is known at each time, and would multiply the states of the subgame.
    """
    given = {*subgame.terminal, *chain.from_iterable(subgame.goals)}
    first = 1 + len(circuit.bases) + len(circuit.legal)
    ticks, reads = _reading(circuit, counter), _reading(circuit, subgame.bases)
    found, seen, waiting = set[int](), set[int](), sorted(given)
    while waiting and len(seen) <= MANY * MANY * (len(given) + MANY):
        literal = waiting.pop()
        if literal in seen or not reads[literal >> 1]:
            continue
        seen.add(literal)
        if not ticks[literal >> 1]:
            found.add(literal)
        else:
            gate = (literal >> 1) - first
            waiting += [int(circuit.left[gate]) & ~1, int(circuit.right[gate]) & ~1]
    return tuple(sorted(found if not waiting and len(found) <= MANY * (len(given) + MANY) else given))


def _reading(circuit: Circuit, bases: Sequence[int]) -> Bools:
    """Return the nodes that read some bases.  # [nodes]."""
    marked = np.zeros(1 + len(circuit.bases) + len(circuit.legal) + len(circuit.left), np.bool_)
    marked[1 + np.array(bases, np.int64)] = True
    spread(circuit.left, circuit.right, len(marked) - len(circuit.left), marked)
    return marked


def cut_out(
    circuit: Circuit, staged: Circuit, subgame: Subgame, counter: Sequence[int], state: Bools, read_of: Sequence[int]
) -> RestrictedCircuit:
    """Return the subgame from a state of the whole on: it never ends, and goal k is literal k of `read_of`.

    Its dynamics and legality are those of the circuit in its stage, `staged`.
    """
    own = _Own(circuit, staged, subgame, counter, state, 4)
    literals = read(own.cut.under(state), np.array(read_of, np.int32))
    goals = np.array([(0, k, literal) for k, literal in enumerate(literals.tolist())], np.int32).reshape(-1, 3)
    return own.ending(FALSE, goals)


def solitary(
    circuit: Circuit, present: Circuit, subgame: Subgame, counter: Sequence[int], state: Bools, wanted: Sequence[int]
) -> RestrictedCircuit:
    """Return the subgame as a game by itself, worth 100 if all literals `wanted` hold, which read no other subgame.

    It is over then, and when the whole is over whatever the others show. `present`: the circuit while the game goes on.
    """
    own = _Own(circuit, present, subgame, counter, state, 6)
    graph = own.cut.graph
    shown = graph.all(read(own.cut.under(state), np.array(wanted, np.int32)).tolist())
    certain = int(_may(own.cut)[circuit.terminal >> 1, circuit.terminal & 1]) ^ 1
    return own.ending(graph.any((shown, certain)), np.array([(0, 100, shown), (0, 0, shown ^ 1)], np.int32))


class _Own:
    """Dynamics of a subgame and openings of its move classes, cut out of the whole as in the circuit `going`."""

    def __init__(
        self, whole: Circuit, going: Circuit, subgame: Subgame, counter: Sequence[int], state: Bools, times: int
    ) -> None:
        """Set up the cut; `times`: gate limit in multiples of the whole's gates, plus SPARE."""
        self.whole, self.state, self.classes = whole, state, subgame.classes[0]
        self.bases = np.array(sorted({*subgame.bases, *counter}), np.int64)
        first = np.array([each[0] for each in self.classes], np.int64)
        self.cut = Cut(going, self.bases, first, times * len(whole.left) + SPARE)
        self.following = read(self.cut.under(state), going.next[self.bases])
        opening = _openings(self.cut)
        self.allowed = [self.cut.graph.any(opening[list(each)].tolist()) for each in self.classes]
        self.cut.whole = whole

    def ending(self, terminal: int, goals: Literals) -> RestrictedCircuit:
        """Return the part with its own end and goals."""
        allowed = np.array(self.allowed, np.int32)
        found = self.cut.circuit(self.state[self.bases], self.following, allowed, terminal, goals)
        kept, moves = self.cut.kept(found)
        by_first = {each[0]: each for each in self.classes}
        return RestrictedCircuit(found, kept, tuple(by_first[m] for m in moves.tolist()), len(self.whole.bases))


def forbids(circuit: Circuit, subgame: Subgame, counter: Sequence[int]) -> bool:
    """Return whether a move may be illegal because of a subgame."""
    bases = np.array(sorted({*subgame.bases, *counter}), np.int64)
    cut = Cut(circuit, bases, np.array([], np.int64), 2 * len(circuit.left) + SPARE)
    read_by = _openings(cut) >> 1
    graph, ticks = cut.graph, np.isin(bases, np.array(counter, np.int64))
    marked = np.zeros(graph.first_gate + len(graph), np.bool_)
    marked[1 : graph.first_gate] = ~ticks
    spread(graph.left, graph.right, graph.first_gate, marked)
    return bool(marked[read_by].any())


def _openings(cut: Cut) -> Literals:
    """Return whether each move of the whole may be legal in some state of the other parts.  # [moves] literals."""
    legal, may = cut.whole.legal, _may(cut)
    found: Literals = may[legal >> 1, (legal & 1) ^ 1]
    return found


def _may(cut: Cut) -> Literals:
    """Return whether each node of the whole may be false, and true, in some state of the other parts.  # [nodes, 2]."""
    whole, gates = cut.whole, len(cut.whole.left)
    may = np.full((cut.first + gates, 2), TRUE, np.int32)
    may[0] = TRUE, FALSE
    may[1 + cut.bases, 1] = 2 * (1 + np.arange(len(cut.bases)))
    may[1 + cut.bases, 0] = may[1 + cut.bases, 1] ^ 1
    follow_both(cut.graph.reserve(2 * gates), whole.left, whole.right, cut.first, may)
    cut.graph.reserve(0)
    return may


@kernel
def follow_both(store: GateStore, left: Literals, right: Literals, first: int, may: Literals) -> None:
    """Compute when each gate may be false and when true.  # may [nodes, 2] literals; inputs are given."""
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        false = and_(store, may[a >> 1, a & 1] ^ 1, may[b >> 1, b & 1] ^ 1) ^ 1
        may[first + gate, 0] = false
        may[first + gate, 1] = and_(store, may[a >> 1, (a & 1) ^ 1], may[b >> 1, (b & 1) ^ 1])
