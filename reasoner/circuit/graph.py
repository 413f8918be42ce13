"""An and-inverter graph under construction.

A *node* is a number; node 0 is the constant false, the next nodes are the free inputs, the rest are AND gates in
topological order. A *literal* is ``2 * node + complement`` (AIGER's convention): 0 is false, 1 is true, and
``literal ^ 1`` is the negation. Gates are hashed structurally and constants folded as they are made, so equal
conjunctions are one gate.

An XOR gate may stand among them: it is told by its operands, the greater first, while an AND has the smaller first.
Compiled circuits have none; lanes use them for arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.errors import LimitError

FALSE = 0
TRUE = 1


class Graph:
    """A growing graph. `left[i]` and `right[i]` are the literals of gate ``first_gate + i``."""

    def __init__(self, inputs: int, max_gates: int) -> None:
        self.inputs = inputs
        self.first_gate = inputs + 1
        self.max_gates = max_gates
        self.left: list[int] = []
        self.right: list[int] = []
        self._gates: dict[tuple[int, int], int] = {}

    def input(self, i: int) -> int:
        """The literal of input `i`, 0-based."""
        return 2 * (i + 1)

    def and_(self, a: int, b: int) -> int:
        """The literal of ``a & b``."""
        if a > b:
            a, b = b, a
        if a == FALSE or a ^ 1 == b:
            return FALSE
        if a in (TRUE, b):
            return b
        return self._gate(a, b)

    def xor_(self, a: int, b: int) -> int:
        """The literal of ``a ^ b``, one gate on uncomplemented operands."""
        flip, a, b = (a ^ b) & 1, a & ~1, b & ~1
        if a < b:
            a, b = b, a
        if b == FALSE or a == b:
            return (FALSE if a == b else a) ^ flip
        return self._gate(a, b) ^ flip

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of `literals` as a balanced tree over the sorted literals."""
        row = sorted(set(literals))
        while len(row) > 1:
            if row[0] == FALSE:
                return FALSE
            paired = [self.and_(row[i], row[i + 1]) for i in range(0, len(row) - 1, 2)]
            row = sorted({*paired, *row[len(paired) * 2 :]})
        return row[0] if row else TRUE

    def any(self, literals: Iterable[int]) -> int:
        """The disjunction of `literals`, by De Morgan."""
        return self.all(literal ^ 1 for literal in literals) ^ 1

    def _gate(self, left: int, right: int) -> int:
        literal = self._gates.get((left, right))
        if literal is None:
            literal = 2 * (self.first_gate + len(self.left))
            if len(self.left) >= self.max_gates:
                raise LimitError(f"the circuit has more than {self.max_gates:,} gates", limit="gates")
            self.left.append(left)
            self.right.append(right)
            self._gates[(left, right)] = literal
        return literal
