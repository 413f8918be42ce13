"""Branches of a conjunction: its disjunctive normal form, by distributing every ``or``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reasoner.rules.formulas import Conjunction, Disjunction, Formula

MOST_COPIES = 16
"""Most rules that one statement expands to; beyond this an ``or`` becomes a relation."""


def flat(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """The conjunction of `parts` with every nested ``and`` expanded."""
    found: list[Formula] = []
    for part in parts:
        if isinstance(part, Conjunction):
            found.extend(flat(part.parts))
        else:
            found.append(part)
    return tuple(found)


def copies(parts: Sequence[Formula]) -> int:
    """The number of branches of the conjunction of `parts`; any result above `MOST_COPIES` only means "more"."""
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
