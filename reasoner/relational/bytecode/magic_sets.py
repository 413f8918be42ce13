"""Magic-set transformation: derive only the atoms that a query needs, one component of mutual recursion at a time.

Bancilhon, Maier, Sagiv, Ullman (1986); the form is that of Ullman, Principles of Database and Knowledge-Base Systems,
vol. 2, ch. 13, without supplementary relations. For a relation ``p`` whose first and third column are bound there are
two relations:

    asked p b-b     the keys, two columns
    answer p b-b    rows of p: at least all rows with one of these keys

Each rule of ``p`` becomes one answer rule and, for each literal of the component in its body, one asked rule. Relations
of other components are unchanged: they are complete before this component reads them. A compound term that is not part
of the current key is a key only if other components bind all its variables: otherwise keys could grow for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reasoner.language.terms import Compound, Term, Variable, variables
from reasoner.relational.bytecode.join_order import greedy_order, literal_at
from reasoner.rules.program import Atom, Condition, Literal, Relation, Rule, is_positive

Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Adornment:
    """A relation and its bound columns; `mark` distinguishes several transformations of the same relation."""

    relation: Relation
    columns: Columns
    mark: str = ""

    @property
    def answer(self) -> Relation:
        """The relation of answers, with all columns."""
        return (f"answer {self._label}", self.relation[1])

    @property
    def asked(self) -> Relation:
        """The relation of keys, with the bound columns."""
        return (f"asked {self._label}", len(self.columns))

    @property
    def _label(self) -> str:
        name, arity = self.relation
        return f"{name} {''.join('b' if c in self.columns else '-' for c in range(arity))}{self.mark}"

    def key(self, atom: Atom) -> tuple[Term, ...]:
        """Return the arguments of `atom` that form the key."""
        return tuple(atom.arguments[c] for c in self.columns)


@dataclass(frozen=True, slots=True)
class DemandProgram:
    """The transformed rules of a component for one adornment; `adornments` are all adornments that the rules use."""

    rules: tuple[Rule, ...]
    adornments: tuple[Adornment, ...]


def demand_program(
    rules: Sequence[Rule], component: frozenset[Relation], on_demand: frozenset[Relation], entry: Adornment
) -> DemandProgram:
    """Transform the rules of a component for `entry`; `on_demand` are relations on demand of other components."""
    made: list[Rule] = []
    seen = [entry]
    for adornment in seen:  # grows during the iteration
        for rule in rules:
            if rule.head.relation == adornment.relation:
                for derived, called in _transform(rule, adornment, component, on_demand):
                    made.append(derived)
                    if called is not None and called not in seen:
                        seen.append(called)
    return DemandProgram(tuple(dict.fromkeys(made)), tuple(seen))


def _transform(
    rule: Rule, adornment: Adornment, component: frozenset[Relation], on_demand: frozenset[Relation]
) -> Iterator[tuple[Rule, Adornment | None]]:
    """Yield the asked rules of `rule`, each with its adornment, and then the answer rule, with None."""
    key = adornment.key(rule.head)
    bound = {v for term in key for v in variables(term)}
    finite: set[Variable] = set()  # bound by other components
    prefix: list[Condition] = [Literal(Atom(adornment.asked[0], key))]
    for position in greedy_order(rule.body, bound, _Structural(rule, component | on_demand)):
        condition = rule.body[position]
        if is_positive(condition) and literal_at(rule.body, position).atom.relation in component:
            atom = literal_at(rule.body, position).atom
            columns = tuple(
                c for c, a in enumerate(atom.arguments) if bound.issuperset(variables(a)) and not _grows(a, key, finite)
            )
            called = Adornment(atom.relation, columns, adornment.mark)
            yield Rule(Atom(called.asked[0], called.key(atom)), tuple(prefix), rule.span), called
            condition = Literal(Atom(called.answer[0], atom.arguments))
        elif is_positive(condition):
            finite.update(condition.variables())
        if is_positive(condition):
            bound.update(condition.variables())
        prefix.append(condition)
    yield Rule(Atom(adornment.answer[0], rule.head.arguments), tuple(prefix), rule.span), None


def _grows(term: Term, key: Sequence[Term], finite: set[Variable]) -> bool:
    """Whether keys may grow for ever: a compound with variables not in `finite`, and not part of the current key."""
    return (
        not isinstance(term, Variable)
        and not finite.issuperset(variables(term))
        and not any(_holds(asked, term) for asked in key)
    )


def _holds(term: Term, part: Term) -> bool:
    """Whether `part` is `term` or occurs in it."""
    return term == part or (isinstance(term, Compound) and any(_holds(a, part) for a in term.arguments))


class _Structural:
    """Join costs without sizes: literals with bound arguments, then complete relations, then relations on demand.

    In each of the last two groups, literals with the largest share of bound arguments come first.
    """

    def __init__(self, rule: Rule, asked: frozenset[Relation]) -> None:
        self.rule = rule
        self.asked = asked

    def __call__(self, position: int, bound: set[Variable]) -> tuple[float, ...]:
        atom = literal_at(self.rule.body, position).atom
        free = sum(1 for a in atom.arguments if not bound.issuperset(variables(a)))
        if not free:
            return (0.0, float(atom.relation in self.asked))
        return (1.0, float(atom.relation in self.asked), free / len(atom.arguments))
