"""The code of a unit: its rules in sequence, semi-naive rounds if it is recursive, or an alternating fixpoint.

Rounds are semi-naive evaluation (Ullman, Principles of Database and Knowledge-Base Systems, vol. 1, ch. 3): after the
first round, one literal of each rule reads only the rows that the previous round added. The alternating fixpoint (Van
Gelder, 1989) evaluates units that depend on their own negation, such as ``(<= (win ?x) (move ?x ?y) (not (win ?y)))``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from reasoner.relational.bytecode.layout import AGAIN, ALIKE, CLEAR, GO, HALT, ROUND, STATIC
from reasoner.relational.bytecode.units import Unit
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Relation, Rule, is_positive

RuleCode = Callable[[Rule, int, int | None], list[int]]
"""Function (rule, address, position or None) → code; the literal at the position reads new rows only."""


class UnitCode:
    """Writer of the code of one unit, for the address `start`; `number` returns the number of a relation."""

    def __init__(self, start: int, number: Callable[[Relation], int], rule_code: RuleCode) -> None:
        self.start = start
        self.words: list[int] = []
        self._number = number
        self._rule_code = rule_code

    def whole(self, unit: Unit) -> list[int]:
        """Return the code that evaluates a whole unit; the facts of a static unit are stored as rows already."""
        rules = unit.rules if unit.level == STATIC else (*unit.facts, *unit.rules)
        if unit.recursive:
            self._renew(AGAIN, unit.relations)
        self._rules(rules)
        if unit.recursive:
            self._rounds(rules, unit.relations)
        return [*self.words, HALT]

    def rounds(self, rules: Sequence[Rule], own: Collection[Relation]) -> list[int]:
        """Return the code that evaluates `rules` to a fixpoint; it starts from the rows entered since its last run."""
        self._rounds(rules, own)
        return [*self.words, HALT]

    def alternation(self, unit: Unit, possible: Mapping[Relation, Relation]) -> list[int]:
        """Return the code for the alternating fixpoint of a unit.

        `possible` maps each relation of the unit to a relation for its atoms that are not known to be false.
        """
        rules = (*unit.facts, *unit.rules)
        over = [_assuming(rule, possible, {}) for rule in rules]
        under = [_assuming(rule, {}, possible) for rule in rules]
        self._renew(AGAIN, unit.relations)
        begin = self._here
        self._renew(CLEAR, possible.values())
        self._rules(over)
        self._rounds(over, possible.values())
        self._rules(under)
        decided = self._round(unit.relations)
        loop = self._here
        self._deltas(under, unit.relations)
        self._end_at(self._round(unit.relations), begin)
        self.words += [GO, loop]
        self._end_at(decided, self._here)
        for true, doubtful in possible.items():
            self.words += [ALIKE, self._number(true), self._number(doubtful)]
        return [*self.words, HALT]

    @property
    def _here(self) -> int:
        return self.start + len(self.words)

    def _rules(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            self.words += self._rule_code(rule, self._here, None)

    def _rounds(self, rules: Sequence[Rule], own: Collection[Relation]) -> None:
        begin = self._here
        over = self._round(own)
        self._deltas(rules, own)
        self.words += [GO, begin]
        self._end_at(over, self._here)

    def _round(self, own: Collection[Relation]) -> int:
        """Begin a round; return the position where `_end_at` writes the address after the last round."""
        self.words += [ROUND, 0, len(own), *map(self._number, own)]
        return len(self.words) - len(own) - 2

    def _end_at(self, place: int, address: int) -> None:
        self.words[place] = address

    def _deltas(self, rules: Iterable[Rule], own: Collection[Relation]) -> None:
        """Write, for each occurrence of the unit's own relations in its bodies, the code that reads its new rows."""
        for rule in rules:
            for position, condition in enumerate(rule.body):
                if is_positive(condition) and condition.atom.relation in own:
                    self.words += self._rule_code(rule, self._here, position)

    def _renew(self, op: int, relations: Collection[Relation]) -> None:
        self.words += [op, len(relations), *map(self._number, relations)]


def _assuming(rule: Rule, derived: Mapping[Relation, Relation], negated: Mapping[Relation, Relation]) -> Rule:
    """Rename the relations of a rule: by `derived` in the head and positive literals, by `negated` in negations."""
    body: list[Condition] = []
    for condition in rule.body:
        if not isinstance(condition, Distinct):
            names = derived if condition.positive else negated
            condition = Literal(_renamed(condition.atom, names), condition.positive)
        body.append(condition)
    return Rule(_renamed(rule.head, derived), tuple(body), rule.span)


def _renamed(atom: Atom, names: Mapping[Relation, Relation]) -> Atom:
    return Atom(names.get(atom.relation, atom.relation)[0], atom.arguments)
