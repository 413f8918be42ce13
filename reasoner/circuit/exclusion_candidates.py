"""Candidates for mutual exclusion: facts that agree in some arguments, at most one of which is initially true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations

from reasoner.arrays import Bools
from reasoner.ground.terms import GroundTerms

Group = tuple[int, ...]
"""A group of facts, as numbers of bases."""

MAX_FACTS = 10_000
"""Maximum facts of a game; with more there are no candidates."""

MAX_ARGUMENTS = 5

ANY = -1
"""Marks an argument in which the facts of a group may differ."""


def candidates(bases: GroundTerms, initial: Bools, known: Sequence[Group]) -> list[Group]:
    """Return groups of facts that may be mutually exclusive; facts of the groups `known` are omitted."""
    settled = set(chain.from_iterable(known))
    if len(bases) > MAX_FACTS:
        return []
    table = bases.table
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for base, term in enumerate(bases.numbers.tolist()):
        kind = int(table.kind[term])
        parts = table.parts[table.first[term] : table.first[term + 1]].tolist()
        if kind < 0 and base not in settled and len(parts) <= MAX_ARGUMENTS:
            for same in _choices(len(parts)):
                groups[kind, *(part if i in same else ANY for i, part in enumerate(parts))].append(base)
    return [tuple(group) for group in groups.values() if len(group) > 1 and initial[group].sum() <= 1]


@cache
def _choices(arguments: int) -> tuple[frozenset[int], ...]:
    """Return the sets of arguments in which the facts of a group may agree.

    These are the sets of some, but not all, of the arguments; there is none for a single argument.
    """
    return tuple(
        frozenset(same) for size in range(min(arguments, 1), arguments) for same in combinations(range(arguments), size)
    )
