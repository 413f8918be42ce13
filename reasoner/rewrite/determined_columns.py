"""Leave out the columns of a large view whose values are known wherever it is asked for.

"The mover's king is not threatened after this move": the view has rows for every square that a king could stand on and
for either side, though a state has one mover, and the mover has one king (`reasoner.rewrite.keys`,
`reasoner.rewrite.lone_facts`). Where every value of some columns is so determined in the rule that asks, the view is
joined with the conditions that determine them, its *selector*, and has rows for the other columns only:

    not V(x, k) where S(k) holds of one k at most   is   not W(x), with W(x) <- S(k), V(x, k)

This is magic sets (Bancilhon, Maier, Sagiv & Ullman 1986) with a selector of one row, whose columns the answers then
need not carry. Only views under a `not` are treated: a positive reading is joined with what determines it anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reasoner.language.terms import Term, Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.join_selected import join_selected
from reasoner.rewrite.keys import find_keys
from reasoner.rewrite.known_values import Because, FunctionalDependencies
from reasoner.rewrite.split_bodies import SELECTED
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule
from reasoner.rules.strata import stratify

LARGE = 100_000
"""Estimated rows from which on a view is worth being joined with what determines its columns."""

MIDDLING = 5_000
"""Rows from which on others are treated where one is large."""

SELECTOR = "selector "
"""Names of the relations that have the determined values begin so."""


def determine_columns(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """`program` with large views, none of `outputs`, without the columns whose values their readers determine."""
    views = _views(program, outputs)
    if not views:
        return program
    known = FunctionalDependencies(program)
    selecting = _Selecting(views, known)
    rules = [selecting.rewritten(rule) for rule in program.rules]
    if not selecting.made:
        return program
    made = drop_unused(Program((*join_selected(rules, known), *selecting.made), program.roles), outputs)
    # who tells a state that breaks the keys reads them from what is rewritten
    return made if find_keys(program).facts.items() <= find_keys(made).facts.items() else program


def _views(program: Program, outputs: frozenset[Relation]) -> dict[Relation, tuple[Rule, ...]]:
    """The views that are read under a `not` and are large, or middling beside a large one, with their rules."""
    estimate = Estimate.of(program)
    denied = {c.atom.relation for rule in program.rules for c in rule.literals() if not c.positive} - outputs
    found = {
        relation: tuple(rule for rule in component.rules if rule.head.relation == relation)
        for component in stratify(program)
        for relation in component.relations & denied
        if not component.recursive and estimate.sizes.get(relation, 0) >= MIDDLING
    }
    return found if any(estimate.sizes[relation] >= LARGE for relation in found) else {}


@dataclass
class _Selecting:
    """Rewrites the readers of `views`, and gathers the rules that they need in `made`."""

    views: dict[Relation, tuple[Rule, ...]]
    known: FunctionalDependencies
    made: list[Rule] = field(default_factory=list)
    names: dict[object, str] = field(default_factory=dict)

    def rewritten(self, rule: Rule) -> Rule:
        """The rule with its large views under a `not` asked for without the columns that the rule determines."""
        if not any(isinstance(c, Literal) and not c.positive and c.atom.relation in self.views for c in rule.body):
            return rule
        found = self.known.determined(rule.body)
        return Rule(rule.head, tuple(self._selected(c, found) for c in rule.body), rule.span)

    def _selected(self, condition: Condition, found: Because) -> Condition:
        if not isinstance(condition, Literal) or condition.positive or condition.atom.relation not in self.views:
            return condition
        terms = condition.atom.arguments
        places = tuple(i for i, term in enumerate(terms) if isinstance(term, Variable) and term in found)
        if not places:
            return condition
        chosen = [v for v in dict.fromkeys(terms[i] for i in places) if isinstance(v, Variable)]
        numbers: dict[Term, int] = {v: i for i, v in enumerate(chosen)}
        because = tuple(dict.fromkeys(c for v in chosen for c in found[v]))
        name = self._view(
            condition.atom.relation, places, [numbers[terms[i]] for i in places], self._selector(chosen, because)
        )
        return Literal(Atom(name, tuple(term for i, term in enumerate(terms) if i not in places)), False)

    def _selector(self, chosen: list[Variable], because: tuple[Literal, ...]) -> Atom:
        """The atom of the relation that has the values of some variables; the same for all that are so determined."""
        renaming: dict[Variable, Term] = {v: Variable(f"k{i} chosen") for i, v in enumerate(chosen)}
        for v in _variables(term for c in because for term in c.atom.arguments):
            renaming.setdefault(v, Variable(f"v{len(renaming)} chosen"))
        body = tuple(c.substituted(renaming) for c in because)
        head = tuple(renaming[v] for v in chosen)
        if (head, body) not in self.names:
            self.names[head, body] = f"{SELECTOR}{len(self.names)}"
            self.made.append(Rule(Atom(self.names[head, body], head), body))
        return Atom(self.names[head, body], head)

    def _view(self, view: Relation, places: tuple[int, ...], values: list[int], selector: Atom) -> str:
        """The name of the relation that has the rows of a view which have the selector's values in some places."""
        key = (view, places, tuple(values), selector)
        if key not in self.names:
            self.names[key] = f"{SELECTED}{len(self.names)} {view[0]}"
            self.made += self._rules(
                self.names[key], self.views[view], places, [selector.arguments[i] for i in values], selector
            )
        return self.names[key]

    def _rules(
        self, name: str, rules: Iterable[Rule], places: tuple[int, ...], values: list[Term], selector: Atom
    ) -> Iterator[Rule]:
        for rule in rules:
            bindings = unify(zip((rule.head.arguments[i] for i in places), values, strict=True))
            if bindings is None:
                continue
            kept = tuple(term for i, term in enumerate(rule.head.arguments) if i not in places)
            made = Rule(Atom(name, kept), (Literal(selector), *rule.body), rule.span)
            yield made.substituted(resolve(bindings))


def _variables(terms: Iterable[Term]) -> list[Variable]:
    return [*Atom("", tuple(terms)).variables()]
