"""Restrict a circuit to some of its bases and moves: the others are fixed, and the constants are folded.

The gates are copied to a new graph, once for each setting of the removed inputs. The caller then chooses the literals
of the next values, legality, goals and terminal in that graph, and gets a new circuit. Illegal moves have no defined
effect: gates may assume that none is made.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs
from reasoner.circuit.circuit import Circuit, compile_netlist
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.circuit.netlist import Netlist
from reasoner.ground.terms import GroundTerms
from reasoner.kernels import kernel_norefcount


class Cut:
    """A new graph over some bases and moves of a circuit; K bases, L moves, in the order of the arguments.

    Raises LimitError if the graph needs more than `max_gates` gates.
    """

    def __init__(self, circuit: Circuit, bases: Longs, moves: Longs, max_gates: int) -> None:
        self.whole = circuit
        self.bases, self.moves = bases, moves  # numbers in the original circuit; moves by role
        self.graph = Graph(len(bases) + len(moves), max_gates)
        self.first = 1 + len(circuit.bases) + len(circuit.legal)

    @property
    def made(self) -> Literals:
        """The literals of the remaining moves.  # [L]."""
        return 2 * (1 + len(self.bases) + np.arange(len(self.moves), dtype=np.int32))

    def under(self, held: Bools, made: Literals | None = None) -> Literals:
        """Copy the gates for one setting of the removed inputs; return each original node's new literal.  # [nodes].

        held: [original bases] the values of the removed bases; those of the remaining bases are ignored.
        made: [original moves] the new literal of each move; by default the remaining moves are inputs, and the others
        are false.
        """
        node = np.zeros(self.first + len(self.whole.left), np.int32)
        node[1 : 1 + len(held)] = np.where(held, TRUE, FALSE)
        node[1 + self.bases] = 2 * (1 + np.arange(len(self.bases)))
        if made is None:
            node[1 + len(held) + self.moves] = self.made
        else:
            node[1 + len(held) : self.first] = made
        copy(self.graph.reserve(len(self.whole.left)), self.whole.left, self.whole.right, self.first, node)
        self.graph.reserve(0)
        return node

    def circuit(self, initial: Bools, following: Literals, legal: Literals, terminal: int, goals: Ints) -> Circuit:
        """Return the circuit with these outputs, literals of the new graph; drop constant and unused gates.

        initial, following: [K]; legal: [L]; goals: [goals, 3] role, value, literal.
        """
        whole = self.whole
        movers = np.repeat(np.arange(len(whole.roles)), [len(own) for own in whole.moves]).astype(np.int32)
        terms = np.concatenate([own.numbers for own in whole.moves])
        circuit = compile_netlist(
            Netlist(
                graph=self.graph,
                roles=whole.roles,
                bases=whole.bases.at(self.bases),
                moves=GroundTerms(whole.bases.table, terms[self.moves]),
                mover=movers[self.moves],
                initial=initial,
                next=following,
                legal=legal,
                goals=goals,
                terminal=terminal,
            )
        )
        return replace(circuit, groups=self._groups(circuit))

    def _groups(self, circuit: Circuit) -> tuple[tuple[int, ...], ...]:
        """Return the original groups of mutually exclusive bases, restricted to the remaining bases."""
        place = dict(zip(self._numbers(circuit.bases), range(len(circuit.bases)), strict=True))
        groups = (tuple(sorted(place[base] for base in group if base in place)) for group in self.whole.groups)
        return tuple(group for group in groups if len(group) > 1)

    def kept(self, circuit: Circuit) -> tuple[Longs, Longs]:
        """Return the original numbers of the bases and of the moves of a restricted circuit."""
        movers = np.repeat(np.arange(len(self.whole.roles)), [len(own) for own in self.whole.moves]).tolist()
        terms = np.concatenate([own.numbers for own in self.whole.moves]).tolist()
        number = {(role, term): move for move, (role, term) in enumerate(zip(movers, terms, strict=True))}
        moves = [number[role, term] for role, own in enumerate(circuit.moves) for term in own.numbers.tolist()]
        return np.array(self._numbers(circuit.bases), np.int64), np.array(moves, np.int64)

    def _numbers(self, bases: GroundTerms) -> list[int]:
        number = {term: base for base, term in enumerate(self.whole.bases.numbers.tolist())}
        return [number[term] for term in bases.numbers.tolist()]


def read(node: Literals, literals: Literals) -> Literals:
    """Map literals of the original circuit to the new graph.  # the shape of `literals`."""
    found: Literals = node[literals >> 1] ^ (literals & 1)
    return found


@kernel_norefcount
def copy(store: GateStore, left: Literals, right: Literals, first: int, node: Literals) -> None:
    """Copy the gates to a new graph and set their literals in `node`; the caller sets those of false and of inputs."""
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        node[first + gate] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))
