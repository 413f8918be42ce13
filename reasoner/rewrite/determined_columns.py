"""Remove the columns of a large view whose values are determined wherever it is read.

"The mover's king is not threatened after this move": the view has rows for every square of a king and for either side,
though a state has one mover, and the mover has one king (`reasoner.rewrite.keys`, `reasoner.rewrite.at_most_one`). If a
rule that reads the view determines the values of some columns, the view is joined with the conditions that determine
them, the *selector*. The result has rows for the other columns only:

    if S(k) is true for at most one k,    not V(x, k)    becomes    not W(x)    with    W(x) <- S(k), V(x, k)

This is magic sets (Bancilhon, Maier, Sagiv & Ullman 1986) with a selector of one row, whose columns are projected away.
Only views under a `not` are rewritten: a positive literal is joined with the determining conditions in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from reasoner.language.terms import Term, Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.join_selected import join_selected
from reasoner.rewrite.keys import Rewritten, find_keys
from reasoner.rewrite.known_values import FunctionalDependencies, Proofs
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, variables_in
from reasoner.rules.strata import stratify

MIN_ROWS = 100_000
"""The pass applies only if some view has at least this many estimated rows."""

MIN_OTHER_ROWS = 5_000
"""Minimum estimated rows of each rewritten view."""

SELECTOR = "selector "
"""Prefix of the names of relations that contain the determined values."""


def determine_columns(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Rewritten:
    """Remove determined columns from the large views of `program`, except `outputs`."""
    views = _views(program, outputs)
    if not views:
        return Rewritten(program)
    known = FunctionalDependencies(program)
    selecting = _Selecting(views, known)
    rules = tuple(selecting.rewritten(rule) for rule in program.rules)
    if not selecting.made:
        return Rewritten(program)
    joined = join_selected(replace(program, rules=rules, selected=frozenset(selecting.selected)), known)
    made = drop_unused(replace(joined, rules=(*joined.rules, *selecting.made)), outputs)
    # the keys of the result must still detect every state that violates the original keys
    if known.keys.items() <= find_keys(made).facts.items():
        return Rewritten(made, at_most_one=known.at_most_one)
    return Rewritten(program)


def _views(program: Program, outputs: frozenset[Relation]) -> dict[Relation, tuple[Rule, ...]]:
    """Return the views under a `not` with `MIN_OTHER_ROWS`, and their rules; empty if none has `MIN_ROWS`."""
    estimate = Estimate.of(program)
    denied = {c.atom.relation for rule in program.rules for c in rule.literals() if not c.positive} - outputs
    found = {
        relation: tuple(rule for rule in component.rules if rule.head.relation == relation)
        for component in stratify(program)
        for relation in component.relations & denied
        if not component.recursive and estimate.sizes.get(relation, 0) >= MIN_OTHER_ROWS
    }
    return found if any(estimate.sizes[relation] >= MIN_ROWS for relation in found) else {}


@dataclass
class _Selecting:
    """Rewrites the rules that read `views`, and collects the created rules in `made`."""

    views: dict[Relation, tuple[Rule, ...]]
    known: FunctionalDependencies
    made: list[Rule] = field(default_factory=list)
    selected: set[Relation] = field(default_factory=set)
    names: dict[object, str] = field(default_factory=dict)

    def rewritten(self, rule: Rule) -> Rule:
        """Return the rule with negated views replaced by relations without the columns that the rule determines."""
        if not any(isinstance(c, Literal) and not c.positive and c.atom.relation in self.views for c in rule.body):
            return rule
        found = self.known.determined(rule.body)
        return Rule(rule.head, tuple(self._selected(c, found) for c in rule.body), rule.span)

    def _selected(self, condition: Condition, found: Proofs) -> Condition:
        if not isinstance(condition, Literal) or condition.positive or condition.atom.relation not in self.views:
            return condition
        terms = condition.atom.arguments
        places = tuple(i for i, term in enumerate(terms) if isinstance(term, Variable) and term in found)
        if not places:
            return condition
        chosen = [v for v in dict.fromkeys(terms[i] for i in places) if isinstance(v, Variable)]
        numbers: dict[Term, int] = {v: i for i, v in enumerate(chosen)}
        proof = tuple(dict.fromkeys(c for v in chosen for c in found[v]))
        name = self._view(
            condition.atom.relation, places, [numbers[terms[i]] for i in places], self._selector(chosen, proof)
        )
        return Literal(Atom(name, tuple(term for i, term in enumerate(terms) if i not in places)), False)

    def _selector(self, chosen: list[Variable], proof: tuple[Literal, ...]) -> Atom:
        """Return the selector: an atom that binds the chosen variables; equal selectors share a relation."""
        renaming: dict[Variable, Term] = {v: Variable(f"k{i} chosen") for i, v in enumerate(chosen)}
        for v in variables_in(proof):
            renaming.setdefault(v, Variable(f"v{len(renaming)} chosen"))
        body = tuple(c.substituted(renaming) for c in proof)
        head = tuple(renaming[v] for v in chosen)
        if (head, body) not in self.names:
            self.names[head, body] = f"{SELECTOR}{len(self.names)}"
            self.made.append(Rule(Atom(self.names[head, body], head), body))
        return Atom(self.names[head, body], head)

    def _view(self, view: Relation, places: tuple[int, ...], values: list[int], selector: Atom) -> str:
        """Return the name of the relation of a view's rows with the selector's values in the columns `places`."""
        key = (view, places, tuple(values), selector)
        if key not in self.names:
            self.names[key] = f"selected {len(self.names)} {view[0]}"
            self.selected.add((self.names[key], view[1] - len(places)))
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
