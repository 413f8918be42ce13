"""Ground rules sorted by their heads, in flat arrays.

The rules of atom ``a`` are ``first_rule[a] … first_rule[a + 1] - 1``; the body of rule ``r`` is
``literals[first_literal[r]] … literals[first_literal[r + 1] - 1]``: atom numbers, negative for literals under `not`.
A rule with an empty body is a fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.kernels import kernel


class Bodies(NamedTuple):
    """The bodies of all R rules of A atoms, including atom 0. The module docstring describes the layout."""

    first_rule: Ints  # [A + 1]
    first_literal: Longs  # [R + 1]
    literals: Ints  # [literals]

    @property
    def atoms(self) -> int:
        """A: one more than the greatest atom number."""
        return len(self.first_rule) - 1

    def of(self, atom: int) -> Iterator[list[int]]:
        """Yield the bodies of an atom's rules."""
        for rule in range(self.first_rule[atom], self.first_rule[atom + 1]):
            yield self.literals[self.first_literal[rule] : self.first_literal[rule + 1]].tolist()


def bodies_by_head(rules: Ints, named: Ints) -> Bodies:
    """Sort a stream of rules (for each rule its head, the length of its body, its literals) by head.

    `named` are further atoms: A covers their numbers even if no rule contains them.
    """
    highest, count = extent(rules)
    highest = max(highest, int(named.max(initial=0)))
    bodies = Bodies(
        np.zeros(highest + 2, np.int32), np.zeros(count + 1, np.int64), np.zeros(len(rules) - 2 * count, np.int32)
    )
    distribute(rules, bodies)
    return bodies


@kernel
def extent(rules: Ints) -> tuple[int, int]:
    """Return the greatest atom number, and the number of rules."""
    highest, count, at = 0, 0, 0
    while at < len(rules):
        highest = max(highest, rules[at])
        for k in range(at + 2, at + 2 + rules[at + 1]):
            highest = max(highest, abs(rules[k]))
        at += 2 + rules[at + 1]
        count += 1
    return highest, count


@kernel
def distribute(rules: Ints, bodies: Bodies) -> None:
    """Sort the rules by head, stable in the order of the stream (a counting sort)."""
    at = 0
    while at < len(rules):
        bodies.first_rule[rules[at] + 1] += 1
        at += 2 + rules[at + 1]
    bodies.first_rule[:] = np.cumsum(bodies.first_rule)
    following = bodies.first_rule[:-1].copy()  # [A] the position of the next rule of each atom
    at = 0
    while at < len(rules):
        bodies.first_literal[following[rules[at]] + 1] = rules[at + 1]
        following[rules[at]] += 1
        at += 2 + rules[at + 1]
    bodies.first_literal[:] = np.cumsum(bodies.first_literal)
    following[:] = bodies.first_rule[:-1]
    at = 0
    while at < len(rules):
        start = bodies.first_literal[following[rules[at]]]
        for k in range(rules[at + 1]):
            bodies.literals[start + k] = rules[at + 2 + k]
        following[rules[at]] += 1
        at += 2 + rules[at + 1]
