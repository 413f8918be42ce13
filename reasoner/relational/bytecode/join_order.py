"""The join order of a body: greedy, the literal with the fewest matches per row first.

A negation or disequality is tested as soon as its variables are bound. Otherwise the next condition is the positive
literal with the fewest expected matches per row: the number of its rows, divided by the number of distinct values in
its bound columns. `Sizes` computes these numbers from snapshots of the relations in some states of play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Term, Variable, is_ground, variables
from reasoner.rules.program import Condition, Distinct, Literal, Relation, Rule, is_positive

Cost = Callable[[int, set[Variable]], tuple[float, ...]]
"""Function (position, bound variables) → cost of a positive literal; the literal with the smallest cost is next."""


def greedy_order(body: Sequence[Condition], bound: set[Variable], cost: Cost, first: int | None = None) -> list[int]:
    """Return the positions of `body` in join order; the position `first`, if given, comes first."""
    bound = set(bound)
    waiting = list(range(len(body)))
    order: list[int] = []

    def take(position: int) -> None:
        waiting.remove(position)
        order.append(position)
        if is_positive(body[position]):
            bound.update(body[position].variables())

    if first is not None:
        take(first)
    while waiting:
        filters = [p for p in waiting if not is_positive(body[p]) and bound.issuperset(body[p].variables())]
        for position in filters:
            take(position)
        positive = [p for p in waiting if is_positive(body[p])]
        if positive:
            take(min(positive, key=lambda p: cost(p, bound)))
        elif not filters and waiting:
            unbound = next(v for p in waiting for v in body[p].variables() if v not in bound)
            raise ValueError(f"{unbound} occurs in no positive literal of {' '.join(map(str, body))}")
    return order


def literal_at(body: Sequence[Condition], position: int) -> Literal:
    """Return the literal at a position known to contain one."""
    condition = body[position]
    assert not isinstance(condition, Distinct)
    return condition


Rows = NDArray[np.int32]  # [rows, arity]

UNCONNECTED = 4.0
"""Cost factor of a literal that shares no variable with the literals before it."""

MAX_SAMPLE_ROWS = 20_000
"""Maximum rows of one relation that estimates read."""


HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""Odd factor whose bits look random: 2**64 divided by the golden ratio (Knuth, TAOCP 6.4)."""


class Sizes:
    """Snapshots of relations, and their average number of rows per key."""

    def __init__(self, intern: Callable[[Term], int]) -> None:
        self.intern = intern
        self._seen: dict[Relation, list[Rows]] = {}
        self._known: dict[tuple[Relation, tuple[tuple[int, int], ...], tuple[int, ...]], float] = {}

    def record(self, relation: Relation, rows: Rows) -> None:
        """Record a snapshot of the relation's rows."""
        self._seen.setdefault(relation, []).append(rows[:MAX_SAMPLE_ROWS].copy())

    def forget(self) -> None:
        """Discard cached estimates."""
        self._known.clear()

    def matches(self, relation: Relation, constants: tuple[tuple[int, int], ...], bound: tuple[int, ...]) -> float:
        """Return the expected number of rows with these constants and one given value in each column of `bound`."""
        key = (relation, constants, bound)
        if key not in self._known:
            found = [_matches(rows, constants, bound) for rows in self._seen.get(relation, ())]
            self._known[key] = sum(found) / len(found) if found else 1.0
        return self._known[key]

    def cost(
        self, rule: Rule, on_demand: Callable[[Relation], bool]
    ) -> Callable[[int, set[Variable]], tuple[float, ...]]:
        """Return the cost function of the positive literals of a rule's body.

        A literal whose arguments are all bound comes first. Other literals of relations on demand come last, ordered by
        their share of bound arguments.
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
    return len(rows) / _distinct(rows[:, bound]) if bound and len(rows) else float(len(rows))


def _distinct(rows: Rows) -> int:
    """Count the distinct rows, by 64-bit hashes of them: sorting integers is far faster than sorting rows."""
    keys = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        keys = (keys + column.astype(np.uint64)) * HASH_FACTOR
    return len(np.unique(keys))
