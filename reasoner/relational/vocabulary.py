"""Checks of input: the relations that a query may use, and the facts that a state may contain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property

from reasoner.errors import StateError
from reasoner.language.literals import Condition, Literal
from reasoner.language.parse import ground_term
from reasoner.language.terms import Compound, Term
from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.domains import Domain, complete, domains
from reasoner.rules.program import Program, Relation, is_auxiliary


class Vocabulary:
    """The relations that a query may use."""

    def __init__(self, program: Program) -> None:
        bodies = (literal.atom.relation for rule in program.rules for literal in rule.literals())
        heads = (rule.head.relation for rule in program.rules)
        self.relations = frozenset(r for r in (*heads, *bodies, ("true", 1)) if not is_auxiliary(r))
        self._facts = frozenset(
            (fact.functor, len(fact.arguments)) if isinstance(fact, Compound) else (str(fact), 0)
            for rule in program.rules
            if rule.head.relation in (("init", 1), ("next", 1))
            for fact in rule.head.arguments
        )
        self._moving = reached(reversed_graph(dependencies(program.rules).every), [("does", 2)])

    def check(self, conditions: Iterable[Condition]) -> None:
        """Raise StateError on a relation that does not exist in this game, or that depends on a joint move."""
        for condition in conditions:
            if isinstance(condition, Literal):
                self._check(condition.atom.relation)

    def _check(self, relation: Relation) -> None:
        name, arity = relation
        if relation not in self.relations:
            raise StateError(f"no relation {name} with {arity} arguments in these rules{self._hint(relation)}")
        if relation in self._moving:
            raise StateError(f"{name} depends on a joint move, and a state has none")

    def _hint(self, relation: Relation) -> str:
        name, arity = relation
        if relation in self._facts:
            return f"; {name} is a fact of the state: ask for (true ({' '.join((name, *['…'] * arity))}))"
        arities = sorted(arity for known, arity in self.relations if known == name)
        if arities:
            return f"; {name} has {' or '.join(map(str, arities))}"
        near = get_close_matches(name, sorted({known for known, _ in self.relations}), n=3)
        return f"; did you mean {' or '.join(near)}?" if near else ""


MAX_SUGGESTIONS = 8
"""Maximum terms that a message suggests in place of a term that no rule makes."""


class PossibleFacts:
    """The facts that `init` and `next` can make; computed on first use."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def read(self, given: Term | str) -> Term:
        """Parse a fact as `ground_term` does. Raises StateError on text of a fact that no rule can make.

        A `Term` is not checked, because it comes from a machine.
        """
        fact = ground_term(given)
        if isinstance(given, str) and self._domain is not None and not self._domain.holds(fact):
            raise StateError(f"no `init` or `next` makes the fact {fact}: {_why(fact, self._domain)}")
        return fact

    @cached_property
    def _domain(self) -> Domain | None:
        """The domain of facts; None if it is incomplete, because the rules build ever larger terms."""
        known = domains(self._program)
        return known.get(("true", 1), (Domain(),))[0] if complete(known) else None


def _why(term: Term, domain: Domain) -> str:
    """Name the innermost part of a term that is not in its domain, and the terms that are in the domain."""
    parts = domain.functions.get((term.functor, len(term.arguments))) if isinstance(term, Compound) else None
    for argument, place in zip(term.arguments, parts, strict=True) if isinstance(term, Compound) and parts else ():
        if not place.holds(argument):
            return _why(argument, place)
    names = list(_names(domain))
    shown = [*names[:MAX_SUGGESTIONS], *(["…"] if len(names) > MAX_SUGGESTIONS else [])]
    return f"{term} is none of {', '.join(shown)}" if names else "there are no facts"


def _names(domain: Domain) -> Iterator[str]:
    yield from sorted(domain.constants)
    yield from (f"({name} …)" if count else f"({name})" for name, count in sorted(domain.functions))
