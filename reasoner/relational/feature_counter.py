"""Counts features in states by the interpreter of join plans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Variable
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import Compiler
from reasoner.relational.bytecode.count_features import Groups, count
from reasoner.relational.bytecode.engine import BUDGET, Facts, address, state_line
from reasoner.relational.bytecode.fact_relations import OPENED
from reasoner.relational.bytecode.keywords import Keywords, game_of
from reasoner.relational.bytecode.layout import STATE, STATIC
from reasoner.relational.bytecode.play import load_state
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.strata import Unit, cut
from reasoner.relational.eliminate import Step, eliminate
from reasoner.relational.features import Feature, FeatureGroup
from reasoner.relational.interning import TermTable
from reasoner.rules.program import Atom, Literal, Program, Relation, Rule

SAMPLES = 8
"""States whose sizes the plans are made from."""

MOST_SETS = 1_000
"""Sets of features whose places are kept."""

MOST_KEPT = 2_000
"""Features whose code is kept."""


class FeatureCounter:
    """Counts features over one program. Relations and features are prepared when they are first asked for."""

    def __init__(self, program: Program, terms: TermTable) -> None:
        self._program = program
        self._terms = terms
        self._wanted: frozenset[Relation] = frozenset()
        self._prepared: _Prepared | None = None

    def values(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> NDArray[np.int64]:
        """The value of each feature in each state.  # [states, features]. Raises NoRoomError or NotStratifiedError."""
        if not states or not features:
            return np.zeros((len(states), len(features)), np.int64)
        prepared = self._for(features, states)
        return prepared.values(states, features)

    def _for(self, features: tuple[Feature, ...], states: Sequence[Facts]) -> _Prepared:
        prepared = self._prepared
        if prepared is not None and features in prepared.placed:
            return prepared
        wanted = frozenset().union(*(feature.relations() for feature in features))
        if prepared is None or not wanted <= self._wanted or len(prepared.known) + len(features) > MOST_KEPT:
            self._wanted |= wanted
            samples = [states[i] for i in np.linspace(0, len(states) - 1, min(SAMPLES, len(states))).astype(int)]
            prepared = self._prepared = _Prepared(self._program, self._terms, self._wanted, samples, features)
        return prepared


class _Prepared:
    """The code for some relations, and for the features met so far."""

    def __init__(
        self,
        program: Program,
        terms: TermTable,
        wanted: frozenset[Relation],
        samples: Sequence[Facts],
        features: tuple[Feature, ...],
    ) -> None:
        self.units = cut(program, wanted)
        for group in (group for feature in features for group in feature.groups):
            self._by_shape(Step(Atom("feature"), group.conditions))  # so that the facts it reads are known
        self.compiler = Compiler(self.units, terms)
        self.memory = self.compiler.memory
        self.keywords = Keywords(self.units, terms)
        self.placed: dict[tuple[Feature, ...], Groups] = {}  # of each set of features asked for
        self.known: dict[FeatureGroup, list[tuple[int, int]]] = {}
        self._steps: dict[Relation, tuple[int, int]] = {}
        self._before = np.array([i for i, u in enumerate(self.units.units) if u.level == STATE], np.int32)
        self._next = len(self.units.units)
        self.game = game_of(self.units, self.compiler, ())
        self._learn(samples)

    def values(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> NDArray[np.int64]:
        """As `FeatureCounter.values`."""
        groups = self._groups(features)
        lines = [state_line(self.keywords, self.memory, state) for state in states]
        starts = np.cumsum([0, *map(len, lines)]).astype(np.int64)
        joined = np.concatenate(lines).astype(np.int32) if lines else np.zeros(0, np.int32)
        out, progress = np.zeros((len(states), len(features)), np.int64), np.zeros(1, np.int64)
        self.memory.push_terms()
        while True:
            memory = self.memory
            memory.arrays.counters[at.BUDGET] = BUDGET
            status = count(memory.store, self.game, groups, address(joined), starts, out, progress)
            memory.pull_terms()
            if status == at.FINE:
                return out
            self.compiler.make_room(status)

    def _learn(self, samples: Sequence[Facts]) -> None:
        for number, facts in enumerate(samples):
            line = state_line(self.keywords, self.memory, facts)
            self.memory.push_terms()
            self._insist_load(line)
            if number == 0:
                self.compiler.evaluate_level(STATE)
                self.game = game_of(self.units, self.compiler, ())
            else:
                self._insist(self._before)
                self.compiler.record(r for r, level in self.units.levels.items() if level == STATE)
        self.compiler.plan_again()
        self._insist(self._before)
        self.game = game_of(self.units, self.compiler, ())

    def _insist_load(self, line: NDArray[np.int32]) -> None:
        while (status := load_state(self.memory.store, self.game, address(line), len(line))) != at.FINE:
            self.compiler.make_room(status)

    def _insist(self, units: NDArray[np.int32]) -> None:
        self.memory.push_terms()
        self.memory.arrays.counters[[at.BUDGET, at.STEPS]] = BUDGET, 0
        while (status := evaluate(self.memory.store, units)) != at.FINE:
            self.compiler.make_room(status)
        self.memory.pull_terms()

    def _groups(self, features: tuple[Feature, ...]) -> Groups:
        """Where the features' groups are evaluated; written now if they were not."""
        known = self.placed.get(features)
        if known is not None:
            return known
        placed = [[pair for group in feature.groups for pair in self._group(group)] for feature in features]
        pairs = np.array([pair for groups in placed for pair in groups], np.int32).reshape(-1, 2)
        self.game = game_of(self.units, self.compiler, ())
        ends = np.cumsum([*map(len, placed)], dtype=np.int32)
        if len(self.placed) > MOST_SETS:
            self.placed.clear()
        groups = self.placed[features] = Groups(self._before, pairs[:, 0].copy(), pairs[:, 1].copy(), ends)
        return groups

    def _group(self, group: FeatureGroup) -> list[tuple[int, int]]:
        """The units of a group, each with its relation; what is not counted itself is marked by `~`."""
        if group not in self.known:
            steps, rest = ([], group.conditions) if _has_whole(group) else eliminate(group.conditions, group.counted)
            found = [(unit, ~relation) for unit, relation in map(self._step, steps)]
            last = self._write(Step(Atom(f"feature {self._next}", group.counted), rest))
            self.known[group] = [*found, last]
        return self.known[group]

    def _step(self, step: Step) -> tuple[int, int]:
        if step.head.relation not in self._steps:
            self._steps[step.head.relation] = self._write(step)
        return self._steps[step.head.relation]

    def _write(self, step: Step) -> tuple[int, int]:
        """Write the code of a step; its unit and its relation. Sizes of what it reads are those of the last sample."""
        unit, number = self._by_shape(step), self._next
        for relation, level in self.units.levels.items():
            if relation not in self.memory.relations:
                self.compiler.levels[self.memory.add_relation(relation)] = level
        self.keywords = Keywords(self.units, self.memory.terms)
        self.compiler.plan(number, unit)
        self._next += 1
        self._sample(number, unit)
        return number, self.memory.relations[unit.relations[0]]

    def _sample(self, number: int, unit: Unit) -> None:
        """Evaluate a unit in the last sample, so that what reads it can be planned from its size."""
        if unit.level == STATE:
            self.memory.clear([self.memory.relations[unit.relations[0]]])
        self._insist(np.array([number], np.int32))
        self.compiler.record(unit.relations)

    def _by_shape(self, step: Step) -> Unit:
        """The unit of a step, over relations by shape; those that no rule knows are taken in, as of the state."""
        rules = tuple(self.units.shapes.rules([Rule(step.head, step.conditions)]))
        levels = self.units.levels
        read = {literal.atom.relation for r in rules for literal in r.literals()}
        for relation in read:
            levels.setdefault(relation, STATE)
        level = max((levels[relation] for relation in read), default=STATIC)
        levels[step.head.relation] = level
        return Unit((step.head.relation,), (), rules, False, level)


def _has_whole(group: FeatureGroup) -> bool:
    """Whether some variable stands for a whole fact or move."""
    atoms = (c.atom for c in group.conditions if isinstance(c, Literal))
    return any(a.relation in OPENED and isinstance(a.arguments[OPENED[a.relation]], Variable) for a in atoms)
