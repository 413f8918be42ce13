"""The join order of a body: greedy, fewest matches per row first.

A negation or disequality goes as soon as its variables are bound. Among positive literals the next is the one with the
fewest expected matches per row: its size, divided by the number of distinct terms in its bound columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reasoner.language.terms import Variable
from reasoner.rules.program import Condition, Distinct, Literal, is_positive

Cost = Callable[[int, set[Variable]], tuple[float, ...]]
"""The cost of taking a positive literal next, given the bound variables; the smallest is taken."""


def greedy_order(body: Sequence[Condition], bound: set[Variable], cost: Cost, first: int | None = None) -> list[int]:
    """Return the positions of `body` in join order; `first`, if any, begins."""
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
