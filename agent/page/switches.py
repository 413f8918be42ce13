"""Things with two values, ``(on lamp1) (off lamp2)``: two relations that partition the same words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from agent.gamemaster.layout import Grouped

MIN_THINGS = 2
Pair = tuple[str, str]
"""The names of both relations."""


def switches_of(states: Sequence[Grouped], roles: Sequence[str]) -> tuple[Pair, ...]:
    """Find the pairs of unary relations that partition the same words in every state.

    Some words must change between the two relations. `roles` are excluded: facts with them say whose turn it is.
    """
    names = sorted({name for state in states for name, arity in state if arity == 1})
    return tuple(pair for pair in combinations(names, 2) if _shared(states, pair, roles))


def _shared(states: Sequence[Grouped], pair: Pair, roles: Sequence[str]) -> bool:
    halves = [[{str(fact.arguments[0]) for fact in state.get((name, 1), ())} for name in pair] for state in states]
    every = {frozenset(one | other) for one, other in halves}
    apart = all(not one & other for one, other in halves)
    switched = set().union(*(one for one, _ in halves)) & set().union(*(other for _, other in halves))
    return (
        apart
        and bool(switched)
        and not switched & set(roles)
        and len(every) == 1
        and min(map(len, every)) >= MIN_THINGS
    )


def switches(others: dict[str, list[list[str]]], pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return for each pair its ``names`` and their ``values``; remove their facts from `others`."""
    drawn = []
    for pair in pairs:
        told = {row[0]: name for name in pair for row in others.pop(name, [])}
        names = sorted(told, key=lambda name: (len(name), name))
        if names:
            drawn.append({"names": names, "values": [told[name] for name in names]})
    return drawn
