"""Variables of a rule that have at most one value in a state, with the conditions that prove this.

Examples: the role whose turn it is (a key of facts), the mover's king (stated facts about pieces), the square of that
king (an at-most-one fact).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reasoner.language.terms import Term, Variable, variables
from reasoner.language.unify import unify
from reasoner.rewrite.at_most_one import at_most_one_facts
from reasoner.rewrite.chase import AtMostOne, FunctionalDependency, Kind, columns, stated_laws
from reasoner.rewrite.keys import find_keys
from reasoner.rules.program import Condition, Literal, Program, Relation, is_positive

Proofs = Mapping[Variable, tuple[Literal, ...]]
"""For each variable with at most one value, the conditions that prove it, in dependency order."""


@dataclass(eq=False)
class FunctionalDependencies:
    """The functional dependencies of a program: of state facts, and of relations defined by facts (*stated*)."""

    program: Program
    keys: Mapping[Kind, FunctionalDependency] = field(init=False)  # of facts
    at_most_one: Mapping[Kind, frozenset[AtMostOne]] = field(init=False)
    stated: Mapping[Relation, list[FunctionalDependency]] = field(init=False)
    rows: dict[Relation, list[tuple[Term, ...]]] = field(init=False)

    def __post_init__(self) -> None:
        self.keys = find_keys(self.program).facts
        self.at_most_one = at_most_one_facts(self.program, self.keys)
        self.stated = stated_laws(self.program)
        by_head = self.program.by_head()
        self.rows = {relation: [rule.head.arguments for rule in by_head[relation]] for relation in self.stated}

    def determined(self, body: Iterable[Condition]) -> Proofs:
        """Return the variables of a body that have at most one value in a state, with their proofs."""
        literals = [c for c in body if is_positive(c)]
        found: dict[Variable, tuple[Literal, ...]] = {}
        while True:
            before = len(found)
            for literal in literals:
                for key, gained in self._laws(literal, found):
                    proof = tuple(dict.fromkeys([*(c for v in key for c in found[v]), literal]))
                    found |= {v: proof for v in gained if v not in found}
            if len(found) == before:
                return found

    def _laws(self, literal: Literal, found: Proofs) -> Iterator[tuple[list[Variable], list[Variable]]]:
        """Yield (key variables, determined variables) of the laws of a literal whose keys are in `found`."""
        kind, terms = columns(literal.atom)
        laws = [*self.stated.get(literal.atom.relation, ())]
        laws += [self.keys[kind]] if kind in self.keys else []
        every = frozenset(range(len(terms)))
        for column in range(len(terms)):
            values = self._values(terms[column], found)
            if values and all((column, value) in self.at_most_one.get(kind, ()) for value in values):
                laws.append((frozenset([column]), every - {column}))
        for key, gained in laws:
            key_variables = _variables(terms[i] for i in key)
            if all(v in found for v in key_variables):
                yield key_variables, _variables(terms[i] for i in gained)

    def _values(self, term: Term, found: Proofs) -> set[Term]:
        """Return the possible values of a term: the term, or a determined variable's values in stated facts."""
        if not isinstance(term, Variable):
            return {term}
        for literal in found.get(term, ()):
            rows = self.rows.get(literal.atom.relation, ())
            matching = [row for row in rows if unify(zip(literal.atom.arguments, row, strict=True)) is not None]
            if matching and term in literal.atom.arguments:
                return {row[literal.atom.arguments.index(term)] for row in matching}
        return set()


def _variables(terms: Iterable[Term]) -> list[Variable]:
    return [v for term in terms for v in variables(term)]
