"""Fitted evaluation: the value of a position for each role, in points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats, Ints
from search.evaluation.features import CountedFeature, Ors


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """Distinct terms, flat: term t is the OR of ands ``ors[t] … ors[t + 1]``, and `a` of literals ``ands[a] …``."""

    ors: Ints  # [terms + 1]
    ands: Ints  # [ands + 1]
    literals: Ints

    @classmethod
    def of(cls, terms: Iterable[Ors]) -> LinearTerms:
        """Concatenate the terms."""
        ors, ands, literals = [0], [0], list[int]()
        for term in terms:
            for conjunction in term:
                literals.extend(conjunction)
                ands.append(len(literals))
            ors.append(len(ands) - 1)
        return cls(*(np.array(each, np.int32) for each in (ors, ands, literals)))

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self.ors) - 1

    def over(self, rows: Ints) -> LinearTerms:
        """Replace the literals of atoms by `rows` [atoms], which are literals themselves."""
        return LinearTerms(self.ors, self.ands, (rows[self.literals >> 1] ^ (self.literals & 1)).astype(np.int32))


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Points of a role: its bias plus the weights of all true terms."""

    terms: LinearTerms
    weights: Floats  # [terms, roles]
    bias: Floats  # [roles]
    features: tuple[CountedFeature, ...]
    feature_weights: Floats  # [features, roles], points a unit
    r2: Floats  # [roles] on held-out games
    positions: int  # that it was fitted on and tested with

    def told(self, roles: tuple[str, ...], most: int = 3) -> str:
        """Return a line with the fit for each role, and the features of largest weight."""
        fits = ", ".join(f"R² {r2:.2f} for {role}" for r2, role in zip(self.r2, roles, strict=True))
        heaviest = np.argsort(-np.abs(self.feature_weights).max(axis=1), kind="stable")[:most]
        named = ", ".join(self.features[i].name for i in heaviest)
        return f"{len(self.features)} features on {self.positions} positions: {fits}; largest weights: {named}"


def flatten(features: tuple[CountedFeature, ...]) -> tuple[LinearTerms, Floats]:
    """Return the distinct terms of features, and the features of each term.  # [terms, features], 1 or 0."""
    numbers: dict[Ors, int] = {}
    for feature in features:
        for term in feature.terms:
            numbers.setdefault(term, len(numbers))
    belongs = np.zeros((len(numbers), len(features)))
    for index, feature in enumerate(features):
        belongs[[numbers[term] for term in feature.terms], index] = 1
    return LinearTerms.of(numbers), belongs
