"""Answers to questions in the rulesheet's own relations."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from reasoner.errors import StateError
from reasoner.language.literals import Condition, Literal
from reasoner.language.terms import Variable
from reasoner.machine import Substitution
from reasoner.relational.model import Model
from reasoner.relational.rule import CompiledRule
from reasoner.relational.rulebook import JOINT, Rulebook
from reasoner.rules.program import Atom, Program, Relation, Rule, is_auxiliary

QUERY = "the query"  # has a space, so that it is no relation of a rulesheet


class Vocabulary:
    """The relations that a query may use."""

    def __init__(self, program: Program, rulebook: Rulebook) -> None:
        bodies = (literal.atom.relation for rule in program.rules for literal in rule.literals())
        heads = (rule.head.relation for rule in program.rules)
        self.relations = frozenset(r for r in (*heads, *bodies, ("true", 1)) if not is_auxiliary(r))
        self.rulebook = rulebook

    def check(self, conditions: Iterable[Condition]) -> None:
        """Raise StateError on a relation that this game has not, or that has no meaning without a joint move."""
        for condition in conditions:
            if isinstance(condition, Literal):
                self._check(condition.atom.relation)

    def _check(self, relation: Relation) -> None:
        name, arity = relation
        if relation not in self.relations:
            raise StateError(f"no relation {name} with {arity} arguments in these rules{self._hint(name)}")
        if self.rulebook.level(relation) == JOINT:
            raise StateError(f"{name} depends on the moves made, and a state alone has none")

    def _hint(self, name: str) -> str:
        arities = sorted(arity for known, arity in self.relations if known == name)
        if arities:
            return f"; {name} has {' or '.join(map(str, arities))}"
        near = get_close_matches(name, sorted({known for known, _ in self.relations}), n=3)
        return f"; did you mean {' or '.join(near)}?" if near else ""


def answers(model: Model, conditions: tuple[Condition, ...]) -> tuple[Substitution, ...]:
    """The substitutions under which all `conditions` hold, sorted by their text."""
    rulebook = model.rulebook
    variables: tuple[Variable, ...] = tuple(dict.fromkeys(v for c in conditions for v in c.variables()))
    rule = CompiledRule(Rule(Atom(QUERY, variables), conditions), rulebook.patterns)
    rows = sorted(rule.run(model), key=lambda row: tuple(map(rulebook.terms.text, row)))
    return tuple(dict(zip(variables, map(rulebook.terms.term, row), strict=True)) for row in rows)
