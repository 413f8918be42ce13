"""Expected costs of joins, from the relations' sizes in some situations of play."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Term, Variable, is_ground, variables
from reasoner.rules.program import Literal, Relation, Rule

Rows = NDArray[np.int32]  # [rows, arity]

UNCONNECTED = 4.0
"""Cost factor of a literal that shares no variable with the rows so far."""

MOST_LOOKED_AT = 20_000
"""Maximum rows of one relation that estimates read."""


class Sizes:
    """Snapshots of relations, and their average number of rows per key."""

    def __init__(self, intern: Callable[[Term], int]) -> None:
        self.intern = intern
        self._seen: dict[Relation, list[Rows]] = {}
        self._known: dict[tuple[Relation, tuple[tuple[int, int], ...], tuple[int, ...]], float] = {}

    def record(self, relation: Relation, rows: Rows) -> None:
        """Record one more situation."""
        self._seen.setdefault(relation, []).append(rows[:MOST_LOOKED_AT].copy())

    def forget(self) -> None:
        """Discard cached estimates."""
        self._known.clear()

    def matches(self, relation: Relation, constants: tuple[tuple[int, int], ...], bound: tuple[int, ...]) -> float:
        """Return the expected number of rows with these constants and one value in the columns `bound`."""
        key = (relation, constants, bound)
        if key not in self._known:
            found = [_matches(rows, constants, bound) for rows in self._seen.get(relation, ())]
            self._known[key] = sum(found) / len(found) if found else 1.0
        return self._known[key]

    def cost(
        self, rule: Rule, on_demand: Callable[[Relation], bool]
    ) -> Callable[[int, set[Variable]], tuple[float, ...]]:
        """Return the cost of a positive literal of a rule's body, given the bound variables.

        A relation on demand is joined once all its arguments are bound, and otherwise last, the most bound first.
        """

        def cost(position: int, bound: set[Variable]) -> tuple[float, ...]:
            literal = rule.body[position]
            assert isinstance(literal, Literal)
            arguments = literal.atom.arguments
            constants = tuple((c, self.intern(a)) for c, a in enumerate(arguments) if is_ground(a))
            fixed = tuple(c for c, a in enumerate(arguments) if not is_ground(a) and bound.issuperset(variables(a)))
            if len(constants) + len(fixed) == len(arguments):
                return (float(on_demand(literal.atom.relation)), 0.0, 0.0)
            if on_demand(literal.atom.relation):
                return (2.0, 1 - (len(constants) + len(fixed)) / len(arguments), 0.0)
            fanout = self.matches(literal.atom.relation, constants, fixed)
            shared = sum(v in bound for v in set(literal.variables()))
            connected = shared or not bound or fanout <= 1
            return (1.0, fanout if connected else fanout * UNCONNECTED, -float(shared))

        return cost


def _matches(rows: Rows, constants: tuple[tuple[int, int], ...], bound: tuple[int, ...]) -> float:
    for column, term in constants:
        rows = rows[rows[:, column] == term]
    if not bound or not len(rows):
        return float(len(rows))
    return len(rows) / len(np.unique(rows[:, bound], axis=0) if len(bound) > 1 else np.unique(rows[:, bound[0]]))
