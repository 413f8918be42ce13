"""Counts features in states by the interpreter of join plans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import Compiler
from reasoner.relational.bytecode.counting import Groups, count
from reasoner.relational.bytecode.engine import BUDGET, Facts, address, state_line
from reasoner.relational.bytecode.keywords import Keywords, game_of
from reasoner.relational.bytecode.play import load_state
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.units import STATE, Unit, cut
from reasoner.relational.features import Feature, Group
from reasoner.relational.interning import TermTable
from reasoner.rules.program import Atom, Literal, Program, Relation, Rule

SAMPLES = 8
"""States whose sizes the plans are made from."""

MOST_SETS = 1_000
"""Sets of features whose places are kept."""

MOST_KEPT = 2_000
"""Features whose code is kept."""


class Counter:
    """Counts features over one program. Relations and features are prepared when they are first asked for."""

    def __init__(self, program: Program, terms: TermTable) -> None:
        self._program = program
        self._terms = terms
        self._wanted: frozenset[Relation] = frozenset()
        self._prepared: _Prepared | None = None

    def values(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> NDArray[np.int64]:
        """The value of each feature in each state.  # [states, features]. Raises NoRoom or NotStratified."""
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
            self._by_shape(group, 0)
        self.compiler = Compiler(self.units, terms)
        self.memory = self.compiler.memory
        self.keywords = Keywords(self.units, terms)
        self.placed: dict[tuple[Feature, ...], Groups] = {}  # of each set of features asked for
        self.known: dict[Group, tuple[int, int]] = {}  # its unit, and the relation with a row per solution
        self._before = np.array([i for i, u in enumerate(self.units.units) if u.level == STATE], np.int32)
        self._next = len(self.units.units)
        self.game = game_of(self.units, self.compiler, ())
        self._learn(samples)

    def values(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> NDArray[np.int64]:
        """As `Counter.values`."""
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
                self._insist_evaluate()
                self.compiler.record(r for r, level in self.units.levels.items() if level == STATE)
        self.compiler.plan_again()
        self.game = game_of(self.units, self.compiler, ())

    def _insist_load(self, line: NDArray[np.int32]) -> None:
        while (status := load_state(self.memory.store, self.game, address(line), len(line))) != at.FINE:
            self.compiler.make_room(status)

    def _insist_evaluate(self) -> None:
        self.memory.arrays.counters[at.BUDGET] = BUDGET
        while (status := evaluate(self.memory.store, self._before)) != at.FINE:
            self.compiler.make_room(status)
        self.memory.pull_terms()

    def _groups(self, features: tuple[Feature, ...]) -> Groups:
        """Where the features' groups are evaluated; written now if they were not."""
        known = self.placed.get(features)
        if known is not None:
            return known
        placed = [[self._group(group) for group in feature.groups] for feature in features]
        pairs = np.array([pair for groups in placed for pair in groups], np.int32).reshape(-1, 2)
        self.game = game_of(self.units, self.compiler, ())
        return Groups(
            self._before, pairs[:, 0].copy(), pairs[:, 1].copy(), np.cumsum([*map(len, placed)], dtype=np.int32)
        )

    def _group(self, group: Group) -> tuple[int, int]:
        if group not in self.known:
            unit = self._by_shape(group, self._next)
            for relation in self.units.levels:
                if relation not in self.memory.relations:
                    self.compiler.levels[self.memory.add_relation(relation)] = STATE
            self.keywords = Keywords(self.units, self.memory.terms)
            number = self.memory.add_relation(unit.relations[0])
            self.compiler.levels[number] = STATE
            self.compiler.plan(self._next, unit)
            self.known[group] = (self._next, number)
            self._next += 1
        return self.known[group]

    def _by_shape(self, group: Group, number: int) -> Unit:
        """The unit of a group, over relations by shape; those that no rule knows are taken in, as of the state."""
        head = Atom(f"feature {number}", group.counted)
        rules = tuple(self.units.shapes.rules([Rule(head, group.conditions)]))
        for relation in {c.atom.relation for r in rules for c in r.body if isinstance(c, Literal)}:
            self.units.levels.setdefault(relation, STATE)
        return Unit((head.relation,), (), rules, False, STATE)
