"""Queries about the relations of states: the solutions of conjunctions, and feature counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from reasoner.arrays import Longs
from reasoner.errors import LimitError, RulesError
from reasoner.kernels.memory import address
from reasoner.language.features import Feature, FeatureGroup
from reasoner.language.terms import Term, Variable
from reasoner.relational.bytecode.interpreter import Facts, Interpreter, Numbers
from reasoner.relational.bytecode.keywords import due
from reasoner.relational.bytecode.layout import STATE, STATIC
from reasoner.relational.bytecode.play import Groups, count
from reasoner.relational.bytecode.units import OPENED, Unit, cut
from reasoner.relational.eliminate import DerivedRelation, eliminate
from reasoner.relational.interning import Row, TermTable
from reasoner.relational.limits import Account
from reasoner.rules.program import Atom, Condition, Literal, Program, Rule

SAMPLES = 8
"""Number of states in which relation sizes are measured to plan the features' relations."""

MAX_FEATURE_SETS = 1_000
"""Maximum sets of features whose code positions are cached at a time."""

MAX_QUESTIONS = 2_000
"""Maximum questions whose code one interpreter keeps."""

QUERY, FEATURE = "the query", "the feature"
"""Names of the relations of solutions. No name in a rulesheet contains a space, so these names are distinct."""


class QueryInterpreter(Interpreter):
    """Interpreter of queries: prepares relations and questions on first use; raises the errors of `Interpreter`."""

    def __init__(self, program: Program, terms: TermTable, account: Account, foreseen: Sequence[Term] = ()) -> None:
        heads = {rule.head.relation for rule in program.rules}
        super().__init__(cut(program, heads, foreseen), terms, (), account)
        self._sets: dict[tuple[Feature, ...], Groups] = {}
        self._groups: dict[FeatureGroup, list[tuple[int, int]]] = {}
        self._written: dict[DerivedRelation, tuple[int, int]] = {}
        self._next = len(self.units.units)

    @property
    def full(self) -> bool:
        """Whether the code has reached its size limit, so that this interpreter should be replaced."""
        return len(self._written) > MAX_QUESTIONS

    def solutions(self, facts: Facts, wanted: tuple[Variable, ...], conditions: tuple[Condition, ...]) -> list[Row]:
        """Return the distinct values of `wanted` for which all conditions hold in a state."""
        step = DerivedRelation(Atom(QUERY, wanted), conditions)
        needed = self._prepare([step], [facts])
        self.load(facts)
        self.evaluate(needed)
        unit, relation = self._place(step)
        self.evaluate(np.array([unit], np.int32))
        return list(map(tuple, self.memory.rows(relation).tolist()))

    def counts(self, states: Sequence[Facts], features: tuple[Feature, ...]) -> Longs:
        """Return the value of each feature in each state.  # [states, features]."""
        out, progress = np.zeros((len(states), len(features)), np.int64), np.zeros(1, np.int64)
        if out.size:
            groups = self._sets.get(features) or self._places(features, states)
            lines = [self.line(state) for state in states]
            starts = np.cumsum([0, *map(len, lines)]).astype(np.int64)
            joined = np.concatenate(lines).astype(np.int32)
            self.loaded = None
            self.run_to_end(lambda: count(self.memory.store, self.game, groups, address(joined), starts, out, progress))
        return out

    def _places(self, features: tuple[Feature, ...], states: Sequence[Facts]) -> Groups:
        """Return the code positions of the groups of all features; write missing code."""
        samples = [states[i] for i in np.linspace(0, len(states) - 1, min(SAMPLES, len(states))).astype(int)]
        steps = [DerivedRelation(Atom(FEATURE), group.conditions) for feature in features for group in feature.groups]
        needed = self._prepare(steps, samples)
        self.load(samples[-1])
        self.evaluate(needed)
        placed = [[pair for group in feature.groups for pair in self._group(group)] for feature in features]
        pairs = np.array([pair for groups in placed for pair in groups], np.int32).reshape(-1, 2)
        ends = np.cumsum([*map(len, placed)], dtype=np.int32)
        if len(self._sets) > MAX_FEATURE_SETS:
            self._sets.clear()
        groups = self._sets[features] = Groups(needed, pairs[:, 0].copy(), pairs[:, 1].copy(), ends)
        return groups

    def _prepare(self, steps: Iterable[DerivedRelation], samples: Sequence[Facts]) -> Numbers:
        """Plan the units that some derived relations read, from the relation sizes in the states `samples`.

        Returns the units to evaluate in every state.
        """
        rules = [rule for step in steps for rule in self._rules(step)]
        self._add_relations()
        read = {literal.atom.relation for rule in rules for literal in rule.literals()}
        new = [n for n in self.units.needed(read) if n not in self.compiler.planned]
        if new:
            self.load(samples[0])
            self.evaluate(np.array([n for n in due(self.units, self.memory, read) if n not in new], np.int32))
            self.compiler.prepare(new, STATE)
            self.update_positions()
            with suppress(LimitError, RulesError):  # a question that needs it raises the error
                self._learn(samples[1:], due(self.units, self.memory, read))
            self.compiler.plan_again(new)
            self.update_positions()
            self.loaded = None
        return due(self.units, self.memory, read)

    def _learn(self, samples: Sequence[Facts], needed: Numbers) -> None:
        for facts in samples:
            self.load(facts)
            self.evaluate(needed)
            self.compiler.record(self.of_level(STATE))

    def _add_relations(self) -> None:
        """Add relations that a question reads and that occur in no rule of the program."""
        added = [r for r in self.units.levels if r not in self.memory.relations]
        for relation in added:
            self.compiler.writer.add_relation(relation, relation, self.units.levels[relation])
        if added:
            self.update_positions()
            self.loaded = None

    def _rules(self, step: DerivedRelation) -> tuple[Rule, ...]:
        """Return the rules of a derived relation, over relations by shape; unknown relations get the level STATE."""
        rules = tuple(self.units.shapes.rules([Rule(step.head, step.conditions)]))
        for rule in rules:
            for literal in rule.literals():
                self.units.levels.setdefault(literal.atom.relation, STATE)
        return rules

    def _group(self, group: FeatureGroup) -> list[tuple[int, int]]:
        """Return (unit, relation) pairs of a group; `~relation` means that the relation only has to be non-empty."""
        if group not in self._groups:
            steps, rest = ([], group.conditions) if _has_whole(group) else eliminate(group.conditions, group.counted)
            found = [(unit, ~relation) for unit, relation in map(self._place, steps)]
            last = self._place(DerivedRelation(Atom(FEATURE, group.counted), rest))
            self._groups[group] = [*found, last]
        return self._groups[group]

    def _place(self, step: DerivedRelation) -> tuple[int, int]:
        """Return the numbers of the unit and the relation of a derived relation.

        A new one is written and evaluated in the current state; the relations that read it are planned from its size.
        """
        if step not in self._written:
            number, self._next = self._next, self._next + 1
            unit = self._unit(step, number)
            self.compiler.plan(number, unit)
            self.update_levels()
            self.evaluate(np.array([number], np.int32))
            self.compiler.record(unit.relations)
            self._written[step] = number, self.memory.relations[unit.relations[0]]
        return self._written[step]

    def _unit(self, step: DerivedRelation, number: int) -> Unit:
        head = step.head
        if head.name in (QUERY, FEATURE):  # other steps have unique names, by which several steps read them
            head = Atom(f"{head.name} {number}", head.arguments)
        rules = self._rules(DerivedRelation(head, step.conditions))
        levels = self.units.levels
        level = max((levels[literal.atom.relation] for rule in rules for literal in rule.literals()), default=STATIC)
        levels[head.relation] = level
        self.compiler.writer.add_relation(head.relation, step.head.relation, level)
        return Unit((head.relation,), (), rules, False, level)


def _has_whole(group: FeatureGroup) -> bool:
    """Whether some variable matches a whole fact or move."""
    atoms = (c.atom for c in group.conditions if isinstance(c, Literal))
    return any(a.relation in OPENED and isinstance(a.arguments[OPENED[a.relation]], Variable) for a in atoms)
