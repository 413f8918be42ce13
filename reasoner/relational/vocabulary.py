"""The relations that a question may use."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from reasoner.errors import StateError
from reasoner.language.literals import Condition, Literal
from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.program import Program, Relation, is_auxiliary


class Vocabulary:
    """The relations that a query may use."""

    def __init__(self, program: Program) -> None:
        bodies = (literal.atom.relation for rule in program.rules for literal in rule.literals())
        heads = (rule.head.relation for rule in program.rules)
        self.relations = frozenset(r for r in (*heads, *bodies, ("true", 1)) if not is_auxiliary(r))
        self._moving = reached(reversed_graph(dependencies(program.rules).every), [("does", 2)])

    def check(self, conditions: Iterable[Condition]) -> None:
        """Raise StateError on a relation that does not exist in this game, or that depends on a joint move."""
        for condition in conditions:
            if isinstance(condition, Literal):
                self._check(condition.atom.relation)

    def _check(self, relation: Relation) -> None:
        name, arity = relation
        if relation not in self.relations:
            raise StateError(f"no relation {name} with {arity} arguments in these rules{self._hint(name)}")
        if relation in self._moving:
            raise StateError(f"{name} depends on a joint move, and a state has none")

    def _hint(self, name: str) -> str:
        arities = sorted(arity for known, arity in self.relations if known == name)
        if arities:
            return f"; {name} has {' or '.join(map(str, arities))}"
        near = get_close_matches(name, sorted({known for known, _ in self.relations}), n=3)
        return f"; did you mean {' or '.join(near)}?" if near else ""
