"""A fitted evaluation: what a position is worth to each role, in points."""

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
        """The terms one after the other."""
        ors, ands, literals = [0], [0], list[int]()
        for term in terms:
            for conjunction in term:
                literals.extend(conjunction)
                ands.append(len(literals))
            ors.append(len(ands) - 1)
        return cls(*(np.array(each, np.int32) for each in (ors, ands, literals)))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ors) - 1

    def over(self, rows: Ints) -> LinearTerms:
        """The same with the literals of atoms replaced by `rows` [atoms], which are literals themselves."""
        return LinearTerms(self.ors, self.ands, (rows[self.literals >> 1] ^ (self.literals & 1)).astype(np.int32))


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Points of a role: its bias, and the weights of all terms that are true."""

    terms: LinearTerms
    weights: Floats  # [terms, roles]
    bias: Floats  # [roles]
    features: tuple[CountedFeature, ...]
    feature_weights: Floats  # [features, roles], points a unit
    r2: Floats  # [roles] on games that were held out
    positions: int  # that it was fitted on and tested with

    def told(self, roles: tuple[str, ...], most: int = 3) -> str:
        """In a line: how good it is for each role, and which features weigh most."""
        fits = ", ".join(f"R² {r2:.2f} for {role}" for r2, role in zip(self.r2, roles, strict=True))
        heaviest = np.argsort(-np.abs(self.feature_weights).max(axis=1), kind="stable")[:most]
        named = ", ".join(self.features[i].name for i in heaviest)
        return f"{len(self.features)} features on {self.positions} positions: {fits}; heaviest: {named}"


def flatten(features: tuple[CountedFeature, ...]) -> tuple[LinearTerms, Floats]:
    """The distinct terms of features, and which feature has which.  # [terms, features], 1 or 0."""
    numbers: dict[Ors, int] = {}
    for feature in features:
        for term in feature.terms:
            numbers.setdefault(term, len(numbers))
    belongs = np.zeros((len(numbers), len(features)))
    for index, feature in enumerate(features):
        belongs[[numbers[term] for term in feature.terms], index] = 1
    return LinearTerms.of(numbers), belongs
