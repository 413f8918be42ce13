"""Things with values, ``(on lamp1) (off lamp2)``: two or more relations that partition the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from agent.boards.layout import Grouped
from agent.boards.time_limit import check

MIN_THINGS = 2
Values = tuple[str, ...]
"""The names of the relations."""


def switches_of(states: Sequence[Grouped], roles: Sequence[str]) -> tuple[Values, ...]:
    """Find groups of unary relations that partition the same words in every state.

    A group contains all relations that share words; if these are no partition, pairs of them are tried. Some words
    must change between the relations. `roles` are excluded: facts with them say whose turn it is.
    """
    words: dict[str, set[str]] = {}
    for state in states:
        for (name, arity), facts in state.items():
            if arity == 1:
                words.setdefault(name, set()).update(str(fact.arguments[0]) for fact in facts)
    found: list[Values] = []
    for group in _sharing(words):
        every = combinations(group, 2) if len(group) > 2 and not _shared(states, group, roles) else (group,)
        found += [names for names in every if len(names) > 1 and _shared(states, names, roles)]
    return tuple(found)


def _sharing(words: Mapping[str, set[str]]) -> list[Values]:
    """Return groups of relations that share words, directly or through others of the group."""
    groups: list[tuple[set[str], set[str]]] = []  # names, and their words
    for name in sorted(words):
        check()
        near = [group for group in groups if group[1] & words[name]]
        groups = [group for group in groups if group not in near]
        names, shared = {name}, set(words[name])
        for one, other in near:
            names, shared = names | one, shared | other
        groups.append((names, shared))
    return sorted(tuple(sorted(names)) for names, _ in groups)


def _shared(states: Sequence[Grouped], names: Values, roles: Sequence[str]) -> bool:
    check()
    parts = [[{str(fact.arguments[0]) for fact in state.get((name, 1), ())} for name in names] for state in states]
    every = {frozenset().union(*part) for part in parts}
    apart = all(sum(map(len, part)) == len(frozenset().union(*part)) for part in parts)
    had = Counter(word for value in zip(*parts, strict=True) for word in frozenset().union(*value))
    switched = {word for word, count in had.items() if count > 1}
    return (
        apart
        and bool(switched)
        and not switched & set(roles)
        and len(every) == 1
        and min(map(len, every)) >= MIN_THINGS
    )


def switches(others: dict[str, list[list[str]]], groups: Sequence[Values]) -> list[dict[str, Any]]:
    """Return for each group its ``names`` and their ``values``; remove their facts from `others`."""
    drawn = []
    for group in groups:
        told = {row[0]: name for name in group for row in others.pop(name, [])}
        names = sorted(told, key=lambda name: (len(name), name))
        if names:
            drawn.append({"names": names, "values": [told[name] for name in names]})
    return drawn
