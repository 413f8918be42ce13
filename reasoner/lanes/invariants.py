"""What each section of a lane graph may read; checked mode (`reasoner.kernels.checked`) tests it after every stage."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints
from reasoner.circuit.invariants import require, require_literals

LEGAL = 0
"""The section that all others may read."""


class Readable:
    """What each section may read: the inputs, the gates of LEGAL, and its own earlier gates."""

    def __init__(self, left: Ints, right: Ints, first: int, sections: tuple[Ints, ...]) -> None:
        require(len(left) == len(right), f"{len(left)} left and {len(right)} right operands")
        self._left, self._right, self._first, self._end = left, right, first, first + len(left)
        self._place = np.full(self._end, -1, np.int64)  # of a gate in its section
        self._section = np.full(self._end, -1, np.int64)  # of a gate; below 0: an input
        for section, gates in enumerate(sections):
            require_literals(2 * gates, self._end, f"gates of section {section}")
            require((gates >= first).all(), f"section {section} evaluates an input")
            require((self._section[gates] < 0).all(), f"section {section} has gates of an earlier section")
            require(len(np.unique(gates)) == len(gates), f"section {section} evaluates a gate twice")
            self._section[gates], self._place[gates] = section, np.arange(len(gates))
        for section, gates in enumerate(sections):
            self._check_order(section, gates)

    def _check_order(self, section: int, gates: Ints) -> None:
        for operands in (self._left, self._right):
            read = operands[gates - self._first]
            self.require_results(section, f"gates of section {section}", read)
            nodes = read >> 1
            late = (self._section[nodes] == section) & (self._place[nodes] >= self._place[gates])
            require(not late.any(), f"gates {gates[late][:3]} read nodes {nodes[late][:3]}, which are evaluated later")

    def require_results(self, section: int, what: str, literals: Ints) -> None:
        """Raise AssertionError unless these literals can be read at the end of a section."""
        require_literals(literals, self._end, what)
        nodes = literals >> 1
        wrong = nodes[~self._readable(section, nodes)]
        require(not len(wrong), f"{what}: nodes {wrong[:3]} are not known in section {section}")

    def _readable(self, section: int, nodes: Ints) -> Bools:
        found = self._section[nodes]
        known: Bools = (nodes < self._first) | (found == LEGAL) | (found == section)
        return known
