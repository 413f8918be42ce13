"""Facts and moves by their shape: ``(true (cell ?x ?y b))`` becomes the relation ``true cell/3`` with three columns.

A *shape* is a constant, or a function with its arity. `true`, `next` and `init` are flattened at their argument, `does`
and `legal` at their second, `goal` also at its second if a negative cycle needs it. A variable in that place becomes
one rule per shape that it can have. Deeper terms stay compound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reasoner.language.terms import CONSTANT, Compound, Constant, Shape, Term, Variable, shape_of
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule

OPENED: dict[Relation, int] = {("true", 1): 0, ("next", 1): 0, ("init", 1): 0, ("does", 2): 1, ("legal", 2): 1}
GOAL: Relation = ("goal", 2)
PLACES = {name: arity - 1 for name, arity in (*OPENED, GOAL)}
"""The column of each keyword that may be flattened: the last."""


def named(keyword: str, shape: Shape) -> str:
    """Return the name of a keyword's relation for a shape; the space keeps it distinct from a rulesheet's names."""
    return f"{keyword} {shape[0]}" if shape[1] == CONSTANT else f"{keyword} {shape[0]}/{shape[1]}"


def spelled(relation: Relation, columns: Sequence[str]) -> str:
    """Return a row of a relation as the rulesheet writes it, from the texts of its terms."""
    keyword, _, shape = relation[0].partition(" ")
    place = PLACES.get(keyword)
    if not shape or place is None:
        return f"({' '.join((relation[0], *columns))})"
    inner = columns[place:]
    name = shape.rpartition("/")[0]
    term = f"({' '.join((name, *inner))})" if shape == f"{name}/{len(inner)}" else shape
    return f"({' '.join((keyword, *columns[:place], term))})"


def written_as(relation: Relation) -> Relation:
    """Return the rulesheet's relation that a relation by shape was made from."""
    keyword, _, shape = relation[0].partition(" ")
    return (keyword, PLACES[keyword] + 1) if shape and keyword in PLACES else relation


@dataclass
class Shapes:
    """Flattens the atoms and rules of one program, and records the shapes."""

    program: Program
    foreseen: Sequence[Term] = ()  # facts that a state may contain besides those that rules make
    opened: dict[Relation, int] = field(default_factory=lambda: dict(OPENED))
    known: dict[str, dict[Shape, None]] = field(default_factory=dict)
    whole: bool = False  # whether some variable stands for a whole fact or move

    @cached_property
    def _domains(self) -> Domains:
        given = (Rule(Atom("true", (fact,))) for fact in self.foreseen)
        return domains(Program((*self.program.rules, *given), self.program.roles))

    def rules(self, rules: Iterable[Rule]) -> list[Rule]:
        """Return the rules over relations by shape."""
        return [self._flat(one) for rule in rules for one in self._instances(rule)]

    def atom(self, atom: Atom) -> Atom:
        """Flatten an atom whose last argument is no variable."""
        place = self.opened.get(atom.relation)
        if place is None:
            return atom
        term = atom.arguments[place]
        shape = shape_of(term)
        assert shape is not None  # rules are instantiated if it is a variable
        self.known.setdefault(atom.name, {})[shape] = None
        inner = term.arguments if isinstance(term, Compound) else ()
        return Atom(named(atom.name, shape), (*atom.arguments[:place], *inner))

    def expects(self, relation: Relation, term: Term) -> bool:
        """Whether the rules may make a fact or move; variables for whole facts were instantiated with such only."""
        places = self._domains.get(relation)
        return places is not None and places[self.opened[relation]].holds(term)

    def _flat(self, rule: Rule) -> Rule:
        body: list[Condition] = [
            c if isinstance(c, Distinct) else Literal(self.atom(c.atom), c.positive) for c in rule.body
        ]
        return Rule(self.atom(rule.head), tuple(body), rule.span)

    def _instances(self, rule: Rule) -> Iterator[Rule]:
        """Yield the rule once per shape of each variable that stands for a flattened argument."""
        variable = next(self._whole(rule), None)
        if variable is None:
            yield rule
            return
        self.whole = True
        domain = variable_domains(rule, self._domains).get(variable)
        if domain is None:
            return
        terms: list[Term] = [Constant(name) for name in sorted(domain.constants)]
        for functor, arity in sorted(domain.functions):
            terms.append(Compound(functor, tuple(Variable(f"{variable.name} {i}") for i in range(arity))))
        for term in terms:
            yield from self._instances(rule.substituted({variable: term}))

    def _whole(self, rule: Rule) -> Iterator[Variable]:
        for atom in (rule.head, *(literal.atom for literal in rule.literals())):
            place = self.opened.get(atom.relation)
            if place is not None and isinstance(term := atom.arguments[place], Variable):
                yield term
