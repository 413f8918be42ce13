"""A circuit cut down to some of its bases and moves: the others have fixed values, and what that decides is folded.

The gates are copied onto a new graph, once for each setting of what is left out; whoever cuts then says what the next
values, legality, goals and the end are in that graph, and gets a circuit of its own. What a move does where it is not
legal means nothing: gates may presume that it is not made.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs
from reasoner.circuit.circuit import Circuit, compile_netlist
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.circuit.netlist import Netlist
from reasoner.ground.terms import GroundTerms
from reasoner.kernels import plain


class Cut:
    """A new graph over some bases and moves of a circuit; K bases, L moves, in the order given.

    Making more than `max_gates` raises LimitError.
    """

    def __init__(self, circuit: Circuit, bases: Longs, moves: Longs, max_gates: int) -> None:
        self.whole = circuit
        self.bases, self.moves = bases, moves  # numbers in the whole; moves by role
        self.graph = Graph(len(bases) + len(moves), max_gates)
        self.first = 1 + len(circuit.bases) + len(circuit.legal)

    @property
    def made(self) -> Literals:
        """The literals of the moves that stay.  # [L]."""
        return 2 * (1 + len(self.bases) + np.arange(len(self.moves), dtype=np.int32))

    def under(self, held: Bools, made: Literals | None = None) -> Literals:
        """The whole's nodes as literals of the new graph, where bases left out are as `held`.

        held: [bases of the whole]; of those that stay, the value does not matter.
        made: [moves of the whole] when each is made; by default those that stay as they are, and the others never.
        Returns [nodes].
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
        """The game with these outputs, literals of the new graph; what cannot change or matter in it is left out.

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
        """The whole's groups of bases that exclude each other, as far as these are left."""
        place = dict(zip(self._numbers(circuit.bases), range(len(circuit.bases)), strict=True))
        groups = (tuple(sorted(place[base] for base in group if base in place)) for group in self.whole.groups)
        return tuple(group for group in groups if len(group) > 1)

    def kept(self, circuit: Circuit) -> tuple[Longs, Longs]:
        """The numbers that a cut circuit's bases and moves have in the whole."""
        movers = np.repeat(np.arange(len(self.whole.roles)), [len(own) for own in self.whole.moves]).tolist()
        terms = np.concatenate([own.numbers for own in self.whole.moves]).tolist()
        number = {(role, term): move for move, (role, term) in enumerate(zip(movers, terms, strict=True))}
        moves = [number[role, term] for role, own in enumerate(circuit.moves) for term in own.numbers.tolist()]
        return np.array(self._numbers(circuit.bases), np.int64), np.array(moves, np.int64)

    def _numbers(self, bases: GroundTerms) -> list[int]:
        number = {term: base for base, term in enumerate(self.whole.bases.numbers.tolist())}
        return [number[term] for term in bases.numbers.tolist()]


def read(node: Literals, literals: Literals) -> Literals:
    """What literals of the whole have become.  # as `literals`."""
    found: Literals = node[literals >> 1] ^ (literals & 1)
    return found


@plain
def copy(store: GateStore, left: Literals, right: Literals, first: int, node: Literals) -> None:
    """Make the gates anew over other inputs: fill `node`, of which false and the inputs are given."""
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        node[first + gate] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))
