"""The branches of a conjunction: the disjunctive normal form that distributing every ``or`` gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reasoner.rules.formulas import Conjunction, Disjunction, Formula

MOST_COPIES = 16
"""A statement is written out as at most this many rules; beyond it an ``or`` becomes a relation."""


def flat(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """The conjunction of `parts` with every ``and`` in it opened."""
    found: list[Formula] = []
    for part in parts:
        if isinstance(part, Conjunction):
            found.extend(flat(part.parts))
        else:
            found.append(part)
    return tuple(found)


def copies(parts: Sequence[Formula]) -> int:
    """How many branches the conjunction of `parts` has; anything above `MOST_COPIES` says only that it is more."""
    product = 1
    for part in parts:
        if isinstance(part, Disjunction):
            product *= sum(copies([choice]) for choice in part.parts)
        elif isinstance(part, Conjunction):
            product *= copies(part.parts)
        if product > MOST_COPIES:
            return MOST_COPIES + 1
    return product


def branches(parts: Sequence[Formula]) -> list[tuple[Formula, ...]]:
    """Every way to choose one part of each ``or``, as conjunctions without ``or`` and ``and``."""
    found: list[list[Formula]] = [[]]
    for part in parts:
        if isinstance(part, Disjunction):
            ways = [way for choice in part.parts for way in branches([choice])]
            found = [[*head, *tail] for head in found for tail in ways]
        elif isinstance(part, Conjunction):
            found = [[*head, *tail] for head in found for tail in branches(part.parts)]
        else:
            for head in found:
                head.append(part)
    return [tuple(branch) for branch in found]
