"""Patterns: facts with some arguments left open, as the features of an evaluation.

``(cell ? ? wr)`` counts the white rooks, ``(cell ? 7 wp)`` the white pawns on the seventh row, ``(cell a 1 wr)`` is one
fact. These are the logical features of one literal (Kaneko, Yamaguchi and Kawai; Fawcett's Zenith). A fact's weight is
the sum of the weights of its patterns. So what is known of many facts also holds for a fact that was rarely seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Longs
from reasoner.language.terms import Compound, Term

MAX_OPEN_ARGUMENTS = 5
"""Facts with more arguments have only two patterns: themselves and their relation."""
OPEN = "?"
SCORE = "mobility"
"""The name of the feature that sums the mobility of pieces."""
PENALTY = 5.0
"""Factor of the ridge penalty for each further argument that a pattern gives."""


class Patterns(NamedTuple):
    """P patterns of B facts."""

    names: tuple[str, ...]  # [P] for people
    facts: Longs  # [pairs] a fact and a pattern that it matches
    patterns: Longs  # [pairs]
    amounts: Floats  # [pairs] what the fact adds to the value of the pattern; 1, except for scores
    penalties: Floats  # [P] factor on the ridge penalty: larger for patterns with more given arguments

    def weights(self, own: Floats) -> Floats:
        """Return the weights of the facts from those of the patterns.  # [P] to [B]."""
        size = int(self.facts.max(initial=-1)) + 1
        return np.bincount(self.facts, own[self.patterns] * self.amounts, size).astype(np.float64)

    def sums(self, of_facts: Floats) -> Floats:
        """Return for each pattern the sum over its facts.  # [B] to [P]."""
        return np.bincount(self.patterns, of_facts[self.facts] * self.amounts, len(self.names)).astype(np.float64)

    def number_of(self, facts: Longs) -> int | None:
        """Return the number of the pattern of exactly these facts; None if there is none."""
        size = len(self.names)
        sizes, shared = (np.bincount(self.patterns[own], minlength=size) for own in (..., np.isin(self.facts, facts)))
        found = np.flatnonzero((sizes == len(facts)) & (shared == len(facts)))
        return int(found[0]) if len(found) else None

    def scored(self, size: int) -> Floats:
        """Return what each fact adds to the last feature.  # [B]."""
        own = self.patterns == len(self.names) - 1
        return np.bincount(self.facts[own], self.amounts[own], size).astype(np.float64)

    def with_score(self, name: str, amounts: Floats, penalty: float) -> Patterns:
        """Return the patterns and one more feature, to which each true fact adds its amount.  # [B]."""
        facts = np.flatnonzero(amounts)
        return Patterns(
            names=(*self.names, name),
            facts=np.append(self.facts, facts),
            patterns=np.append(self.patterns, np.full(len(facts), len(self.names))),
            amounts=np.append(self.amounts, amounts[facts]),
            penalties=np.append(self.penalties, penalty),
        )


def patterns(facts: Sequence[Term]) -> Patterns:
    """Return all patterns of facts; of patterns with the same facts only the most general one."""
    members: dict[str, list[int]] = {}
    for number, fact in enumerate(facts):
        for name in _names(fact):
            members.setdefault(name, []).append(number)
    kept: dict[tuple[int, ...], str] = {}
    for name in sorted(members, key=lambda each: (-each.count(OPEN), each)):
        kept.setdefault(tuple(members[name]), name)
    pairs = [(fact, number) for number, own in enumerate(kept) for fact in own]
    array = np.array(pairs, np.int64).reshape(-1, 2)
    given = [max(name.count(" ") - name.count(OPEN), 1) for name in kept.values()]
    penalties = PENALTY ** (np.array(given) - 1.0)
    return Patterns(tuple(kept.values()), array[:, 0], array[:, 1], np.ones(len(array)), penalties)


def _names(fact: Term) -> Iterator[str]:
    if not isinstance(fact, Compound):
        yield str(fact)
        return
    arguments, size = [*map(str, fact.arguments)], len(fact.arguments)
    kept = range(size + 1) if size <= MAX_OPEN_ARGUMENTS else (0, size)
    for count in kept:
        for some in combinations(range(size), count):
            shown = [text if place in some else OPEN for place, text in enumerate(arguments)]
            yield f"({fact.functor} {' '.join(shown)})"
