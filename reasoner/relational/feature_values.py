"""The values of features in states, by the fast engine where it can."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.relational.bytecode.assemble import TooManyVariablesError
from reasoner.relational.bytecode.memory import NoRoomError, UnforeseenError
from reasoner.relational.bytecode.strata import NotStratifiedError
from reasoner.relational.feature_counter import FeatureCounter
from reasoner.relational.features import Feature
from reasoner.relational.limits import Overflow
from reasoner.relational.model import Model
from reasoner.relational.query import QUERY
from reasoner.relational.rule import CompiledRule
from reasoner.relational.situations import Facts, Situations
from reasoner.rules.program import Atom, Program, Rule


class FeatureValues:
    """Counts in the states of one game; one question at a time, so that several threads may ask."""

    def __init__(self, program: Program, situations: Situations) -> None:
        self._situations = situations
        self._counter: FeatureCounter | None = FeatureCounter(program, situations.rulebook.terms)

    def values(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> NDArray[np.int64]:
        """The value of each feature in each state.  # [states, features]. Raises LimitError."""
        with self._situations.lock:
            if self._counter is not None:
                try:
                    return self._counter.values(states, features)
                except UnforeseenError:
                    pass  # only these states are left to the other engine
                except (NoRoomError, NotStratifiedError, TooManyVariablesError, Overflow):
                    self._counter = None  # what it holds may be half done; the other engine counts from now on
            return np.array([[self._value(state, feature) for feature in features] for state in states], np.int64)

    def _value(self, state: Facts, feature: Feature) -> int:
        return self._situations.answer(lambda: _product(self._situations.state(state), feature))


def _product(model: Model, feature: Feature) -> int:
    """The value of a feature in the model of a state."""
    value = 1
    for group in feature.groups:
        rule = CompiledRule(Rule(Atom(QUERY, group.counted), group.conditions), model.rulebook.patterns)
        value *= len(set(rule.run(model)))
        if not value:
            break
    return value
