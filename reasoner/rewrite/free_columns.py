"""Remove the columns of a large view that a rule does not restrict.

Example: "a rook attacks a square, ignoring a third square". If the third square is not between rook and target, its
value does not matter, yet the view has rows for almost every third square. This pass splits a view by the columns that
its rules leave *free*: the variable of a free column occurs only in one static condition, the *range*. The ranges of a
rule's free columns are its *pattern*. A rule that leaves columns free defines a relation without these columns. A rule
that reads this relation may leave the columns free, too, or bind them. A reader of the view reads the full rows, or the
short rows joined with the range. These are the generalized tuples of constraint databases (Kanellakis, Kuper & Revesz
1995) with an empty constraint. The patterns propagate through the rules as the adornments of magic sets do (Bancilhon,
Maier, Sagiv & Ullman 1986), but from facts to answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import prod
from typing import TypeGuard

from reasoner.language.terms import Constant, Term, Variable, is_ground
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rules.domains import Domains, complete, variable_domains
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule
from reasoner.rules.strata import static_relations, stratify

MIN_ROWS = 100_000
"""The pass applies only if some view that it splits has at least this many estimated rows."""

MIN_OTHER_ROWS = 10_000
"""Minimum estimated rows of each view to split."""

MAX_PATTERNS = 8
"""Maximum relations that a view is split into; with more, the program stays unchanged."""

MAX_READINGS = 64
"""Maximum combinations of patterns for the views in one body; with more, the program stays unchanged."""

COLUMN = Variable("value of a free column")

Pattern = tuple[Literal | None, ...]
"""For each column: its range (a condition on COLUMN) if the column is free, otherwise None."""


def free_columns(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Split the large views of `program`, except `outputs`, by the columns that their rules leave free."""
    estimate = Estimate.of(program)
    views = {r: rows for r, rows in _views(program, estimate).items() if r not in outputs and rows >= MIN_OTHER_ROWS}
    if not any(rows >= MIN_ROWS for rows in views.values()):
        return program
    splitting = Splitting(static_relations(program))
    found = splitting.find([rule for rule in program.rules if rule.head.relation in views])
    if not found or not any(
        rows >= MIN_ROWS and any(map(any, splitting.patterns[view])) for view, rows in views.items()
    ):
        return program
    certain = _StatedFacts(program, estimate.domains)
    made: dict[Rule, None] = {}
    for rule in program.rules:
        readings = [*islice(splitting.rules(rule, certain), MAX_READINGS + 1)]
        if len(readings) > MAX_READINGS:
            return program
        made.update(dict.fromkeys(readings))
    return drop_unused(replace(program, rules=tuple(made)), outputs)


def _views(program: Program, estimate: Estimate) -> dict[Relation, float]:
    """Return the views that do not depend on their own negation, with their estimated rows."""
    views = (component.relations for component in stratify(program) if not component.negative_cycle)
    return {relation: estimate.sizes.get(relation, 0) for relations in views for relation in relations}


@dataclass
class Splitting:
    """Splits views; `patterns` are the patterns of each view's rules."""

    static: frozenset[Relation]
    patterns: dict[Relation, list[Pattern]] = field(default_factory=dict)

    def find(self, rules: list[Rule]) -> bool:
        """Propagate the patterns through the rules of the views to a fixpoint; False if there are too many."""
        self.patterns = {rule.head.relation: [] for rule in rules}
        while True:
            grown = False
            for rule in rules:
                if prod(len(self.patterns[view]) for view in self._views_read(rule)) > MAX_READINGS:
                    return False
                grown |= self._propagate(rule)
            if any(len(patterns) > MAX_PATTERNS for patterns in self.patterns.values()):
                return False
            if not grown:
                empty = [view for view, patterns in self.patterns.items() if not patterns]
                if not empty:
                    return True
                self.patterns |= {view: [(None,) * view[1]] for view in empty}

    def _views_read(self, rule: Rule) -> Iterator[Relation]:
        return (c.atom.relation for c in rule.body if self._is_read(c))

    def _is_read(self, condition: Condition, positive: bool = True) -> TypeGuard[Literal]:
        """Whether a condition is a literal of a split view with the given sign."""
        return (
            isinstance(condition, Literal)
            and condition.positive == positive
            and condition.atom.relation in self.patterns
        )

    def _propagate(self, rule: Rule) -> bool:
        patterns = self.patterns[rule.head.relation]
        before = len(patterns)
        for body in self._read(rule.body):
            pattern = self._pattern(rule.head, body)
            if pattern not in patterns:
                patterns.append(pattern)
        return len(patterns) > before

    def rules(self, rule: Rule, certain: _StatedFacts) -> Iterator[Rule]:
        """Yield the rules that replace a rule after the split; `certain` tests whether stated facts imply a literal."""
        ranges = certain.of(rule)
        for body in self._read(rule.body):
            head = rule.head
            if head.relation in self.patterns:
                pattern = self._pattern(head, body)
                free = {v for v, place in zip(head.arguments, pattern, strict=True) if place}
                body = [c for c in body if not free.intersection(c.variables())]
                head = self._named(head, pattern)
            for whole in self._negated(body, ranges):
                yield Rule(head, tuple(dict.fromkeys(whole)), rule.span)

    def _read(self, body: Iterable[Condition]) -> Iterator[list[Condition]]:
        """Yield one body for each choice of a pattern for every positive literal of a split view."""
        ways = [self._readings(c.atom) if self._is_read(c) else [[c]] for c in body]
        for way in product(*ways):
            yield list(dict.fromkeys(c for part in way for c in part))

    def _readings(self, atom: Atom) -> list[list[Condition]]:
        return [[Literal(self._named(atom, p)), *_ranges(atom, p)] for p in self.patterns[atom.relation]]

    def _negated(self, body: list[Condition], ranges: Callable[[Literal], bool]) -> Iterator[list[Condition]]:
        """Yield the bodies that replace the negated views: for each pattern, the row is missing or a range is false."""
        ways: list[list[Condition]] = []
        for condition in body:
            if not self._is_read(condition, positive=False):
                ways.append([condition])
                continue
            for pattern in self.patterns[condition.atom.relation]:
                doubts = (c.atom for c in _ranges(condition.atom, pattern) if not ranges(c))
                ways.append([Literal(atom, False) for atom in (self._named(condition.atom, pattern), *doubts)])
        return map(list, product(*ways))

    def _pattern(self, head: Atom, body: list[Condition]) -> Pattern:
        """Return the pattern of a rule: the range of each column that the rule leaves free."""
        return tuple(self._range(argument, head, body) for argument in head.arguments)

    def _range(self, argument: Term, head: Atom, body: list[Condition]) -> Literal | None:
        """Return the range of a column: its only condition, if that is static; None if the column is not free."""
        if not isinstance(argument, Variable) or list(head.variables()).count(argument) > 1:
            return None
        conditions = [c for c in body if argument in c.variables()]
        if len(conditions) != 1 or isinstance(conditions[0], Distinct) or not conditions[0].positive:
            return None
        atom = conditions[0].atom
        if set(atom.variables()) != {argument} or atom.relation not in self.static:
            return None
        return Literal(atom.substituted({argument: COLUMN}))

    def _named(self, atom: Atom, pattern: Pattern) -> Atom:
        """Return an atom of the relation for one pattern of a view, without the free columns."""
        if not any(pattern):
            return atom
        number = self.patterns[atom.relation].index(pattern)
        kept = (a for a, place in zip(atom.arguments, pattern, strict=True) if not place)
        return Atom(f"{atom.name} free {number}", tuple(kept))


def _ranges(atom: Atom, pattern: Pattern) -> list[Literal]:
    """Return the ranges of the free columns, applied to the arguments of an atom."""
    pairs = zip(atom.arguments, pattern, strict=True)
    return [Literal(place.atom.substituted({COLUMN: argument})) for argument, place in pairs if place]


class _StatedFacts:
    """The facts of one program, and its domains where these are complete."""

    def __init__(self, program: Program, domains: Domains) -> None:
        self._domains = domains
        self._complete = complete(domains)
        self._facts: dict[Relation, set[tuple[Term, ...]]] = defaultdict(set)
        for rule in program.rules:
            if not rule.body:
                self._facts[rule.head.relation].add(rule.head.arguments)

    def of(self, rule: Rule) -> Callable[[Literal], bool]:
        """Return a test: whether a literal of at most one term is a stated fact for all possible values in the rule."""
        domains = variable_domains(rule, self._domains)

        def holds(literal: Literal) -> bool:
            rows = self._facts.get(literal.atom.relation, set())
            if all(is_ground(argument) for argument in literal.atom.arguments):
                return literal.atom.arguments in rows
            found = {argument for argument in literal.atom.arguments if not is_ground(argument)}
            (variable,) = found if len(found) == 1 else {None}
            if not isinstance(variable, Variable) or variable not in domains or not self._complete:
                return False
            domain = domains[variable]
            values = (Constant(name) for name in domain.constants)
            return not domain.functions and all(
                literal.atom.substituted({variable: value}).arguments in rows for value in values
            )

        return holds
