"""Count features in lanes if the compilation pays, else by the relational engine."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from reasoner.arrays import Bools, Longs
from reasoner.errors import LimitError, RulesError
from reasoner.lanes.feature_lanes import CountLanes, CountProgram, groups_of
from reasoner.language.features import Feature, FeatureGroup
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine

Builder = Callable[[Sequence[FeatureGroup]], CountProgram]
"""Compiles groups of features over the game's facts; raises LimitError or RulesError."""

FeatureList = Sequence[tuple[str, Sequence[str]]]
Facts = Callable[[State], State]
"""Converts a state to a state of the relational machine."""

MIN_VALUES = 100_000
"""A set of features is compiled once this many of its values (states times features) were requested.

The relational engine counts about this many values in the time of a compilation. So counting first and compiling then
takes at most about twice the time of the better choice."""

MIN_STATES = 4
"""Minimum number of states for which lanes are faster than the relational engine; see docs/explanation/features.md."""

MAX_COMPILED = 8
"""Maximum number of compiled sets of features to keep."""

MAX_WAITING = 1_000
"""Maximum number of sets of features for which the use is recorded before they are compiled."""


class FeatureValues:
    """Counter of features in the states of one compiled game."""

    def __init__(self, relational: RelationalMachine, facts: Facts, builder: Builder | None) -> None:
        self._relational = relational
        self._facts = facts
        self._builder = builder
        self._compiled: OrderedDict[tuple[Feature, ...], CountLanes | None] = OrderedDict()
        self._waiting: dict[tuple[Feature, ...], int] = {}

    def compile(self, asked: FeatureList) -> CountProgram | None:
        """Compile a set of features now, and return the program; None if that is not possible."""
        lanes = self._lanes(self._relational.features(asked))
        return lanes.program if lanes else None

    def values(self, states: Sequence[State], asked: FeatureList) -> Longs:
        """The value of each feature in each state.  # [states, features]."""
        packed = [state for state in states if isinstance(state, bytes)]
        lanes = self._if_it_pays(self._relational.features(asked), len(packed))
        if lanes is None:
            return self._relational.counts([*map(self._facts, states)], asked)
        values = np.zeros((len(states), len(asked)), np.int64)
        in_lanes = np.array([isinstance(state, bytes) for state in states])
        values[in_lanes] = lanes.values(packed)
        self._count_others(states, asked, values, ~in_lanes, lanes.counted)
        return values

    def _count_others(
        self,
        states: Sequence[State],
        asked: FeatureList,
        values: Longs,
        whole: Bools,  # [states] lanes cannot represent the state
        counted: Bools,  # [features] lanes count the feature
    ) -> None:
        """Set the values that lanes do not count."""
        rest = [asked[number] for number in np.flatnonzero(~counted).tolist()]
        if rest:
            values[:, ~counted] = self._relational.counts([*map(self._facts, states)], rest)
        if whole.any():
            others = [states[number] for number in np.flatnonzero(whole).tolist()]
            values[whole] = self._relational.counts([*map(self._facts, others)], asked)

    def _if_it_pays(self, features: tuple[Feature, ...], states: int) -> CountLanes | None:
        """The compiled features, or None if the relational engine should count; compiles them if that pays."""
        if self._builder is None or states < MIN_STATES or not features:
            return None
        if features in self._compiled:
            return self._lanes(features)
        seen = self._waiting.get(features, 0)
        if (seen + states) * len(features) >= MIN_VALUES:
            return self._lanes(features)
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
        self._waiting[features] = seen + states
        return None

    def _lanes(self, features: tuple[Feature, ...]) -> CountLanes | None:
        if features not in self._compiled:
            self._compiled[features] = self._built(features)
            if len(self._compiled) > MAX_COMPILED:
                self._compiled.popitem(last=False)
        return self._compiled[features]

    def _built(self, features: tuple[Feature, ...]) -> CountLanes | None:
        if self._builder is None or not features:
            return None
        try:
            lanes = CountLanes(self._builder([*groups_of(features)]), features)
        except (LimitError, RulesError):  # the relational engine counts them instead
            return None
        return lanes if lanes.counted.any() else None
