"""Replace the rules of static views by the facts that they derive."""

from __future__ import annotations

from reasoner.errors import LimitError, RulesError
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.drop_unused import OUTPUTS
from reasoner.rules.program import Atom, Program, Relation, Rule
from reasoner.rules.strata import static_relations

MAX_ROWS = 20_000
"""Maximum rows of a stored view; a larger one keeps its rules."""

_LIMITS = EvaluationLimits(max_facts=10 * MAX_ROWS)


def store_statics(program: Program) -> Program:
    """Replace each static view of `program` that has at most `MAX_ROWS` rows by facts."""
    stored = _stored(program)
    rules: dict[Rule, None] = {}
    for rule in program.rules:
        if rule.head.relation not in stored:
            rules[rule] = None
        elif facts := stored[rule.head.relation]:
            rules.update(dict.fromkeys(facts))
    return Program(tuple(rules), program.roles)


def explain_stored(program: Program) -> tuple[str, ...]:
    """Return one line for each stored view."""
    found = sorted(_stored(program).items())
    return tuple(f"{name}/{count}: the same in all states, {len(facts)} rows" for (name, count), facts in found)


def _stored(program: Program) -> dict[Relation, tuple[Rule, ...]]:
    """Return the facts of each static relation that has a rule with a body."""
    derived = {rule.head.relation for rule in program.rules if rule.body} - OUTPUTS - {("base", 1), ("input", 2)}
    machine = RelationalMachine(program, _LIMITS)
    found: dict[Relation, tuple[Rule, ...]] = {}
    for relation in derived & static_relations(program):
        try:
            rows = machine.relation(relation)
        except (LimitError, RulesError):  # infinite, too large, or not stratified: the view keeps its rules
            continue
        if len(rows) <= MAX_ROWS:
            found[relation] = tuple(Rule(Atom(relation[0], row)) for row in sorted(rows, key=str))
    return found
