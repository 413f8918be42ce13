"""Fixpoints of one component of mutually recursive relations.

`least_fixpoint` is semi-naive evaluation (Ullman, Principles of Database and Knowledge-Base Systems, vol. 1, ch. 3):
after the first round a rule runs only on what the round before added. `well_founded` is the alternating fixpoint (Van
Gelder, 1989) for components with a negation inside, such as ``(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from reasoner.relational.interning import Row
from reasoner.relational.limits import Account
from reasoner.relational.rule import CompiledRule, Relations
from reasoner.relational.table import Table
from reasoner.rules.program import Relation

Tables = dict[Relation, Table]
Added = Mapping[Relation, set[Row]]
NO_ASSUMPTIONS: Mapping[Relation, Table] = {}


class Scope:
    """The relations as the rules of one component see them: its own growing tables, and those of others."""

    def __init__(self, own: Tables, others: Relations, assumed: Mapping[Relation, Table] = NO_ASSUMPTIONS) -> None:
        self.own = own
        self.others = others
        self.assumed = assumed  # what a negated literal of the component itself is tested against
        self.account: Account = others.account

    def known(self, relation: Relation, positive: bool) -> Table | None:
        """The whole relation as far as it is known; nothing is left to evaluate for the component's own."""
        if relation not in self.own:
            return self.others.known(relation, positive)
        return self.own[relation] if positive else self.assumed[relation]

    def table(self, relation: Relation) -> Table:
        """A relation of another component."""
        return self.others.table(relation)

    def on_demand(self, relation: Relation) -> bool:
        """Whether another component's relation is to be asked for."""
        return relation not in self.own and self.others.on_demand(relation)

    def ask(self, relation: Relation, columns: tuple[int, ...], keys: set[Row]) -> Table:
        """Ask another component."""
        return self.others.ask(relation, columns, keys)


class RuleSet:
    """The rules of one component, and where in their bodies its own relations stand."""

    def __init__(self, rules: Iterable[CompiledRule], own: Collection[Relation]) -> None:
        self.rules = tuple(rules)
        self.recursive = tuple(
            (rule, literal.position, literal.relation)
            for rule in self.rules
            for literal in rule.literals
            if literal.positive and literal.relation in own
        )


def least_fixpoint(rules: RuleSet, scope: Scope, added: Added | None = None) -> None:
    """Grow the scope's own tables to the least model of `rules`.

    With `added`, the tables are a fixpoint already but for these rows, which have just been entered in them.
    """
    if added is None:
        found: dict[Relation, set[Row]] = {}
        for rule in rules.rules:
            found.setdefault(rule.relation, set()).update(rule.run(scope))
        added = _enter(found, scope)
    while added and rules.recursive:
        added = _enter(_round(rules, scope, added), scope)


def _round(rules: RuleSet, scope: Scope, added: Added) -> dict[Relation, set[Row]]:
    """What the rules derive from the rows just added."""
    deltas = {relation: Table(rows) for relation, rows in added.items()}
    found: dict[Relation, set[Row]] = {}
    for rule, position, relation in rules.recursive:
        if relation in deltas:
            found.setdefault(rule.relation, set()).update(rule.run(scope, (position, deltas[relation])))
    return found


def _enter(found: Added, scope: Scope) -> dict[Relation, set[Row]]:
    """Enter rows in the scope's tables; those that were new."""
    added = {relation: scope.own[relation].add(rows) for relation, rows in found.items()}
    scope.account.check_rows(sum(map(len, scope.own.values())))
    return {relation: rows for relation, rows in added.items() if rows}


def well_founded(rules: RuleSet, facts: Tables, others: Relations) -> tuple[Tables, Tables]:
    """What is true, and what is not false, in the well-founded model; equal when every atom is decided.

    `facts` has a table for each relation of the component, with its facts; these tables are left as they are.
    """

    def model(assumed: Tables) -> Tables:
        own = {relation: Table(set(table.rows)) for relation, table in facts.items()}
        least_fixpoint(rules, Scope(own, others, assumed))
        return own

    true: Tables = {relation: Table() for relation in facts}
    while True:
        possible = model(true)
        grown = model(possible)
        if _size(grown) == _size(true):
            return grown, possible
        true = grown


def _size(tables: Tables) -> int:
    return sum(map(len, tables.values()))
