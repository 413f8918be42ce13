"""Split rule bodies so that a local variable is joined and projected away before the rest is looked at.

Grounding a body with k variables costs up to n^k instances. A variable that the head does not need can be
eliminated first: the conditions that mention it (its *bucket*) become the body of an auxiliary rule whose head
keeps only the variables needed elsewhere, as in bucket elimination (Dechter 1999) and in lpopt's tree
decompositions (Bichler, Morak & Woltran 2016). The variable whose bucket has the smallest expected join goes first.
In the circuit the auxiliary atom is a disjunction computed once where it was repeated in every instance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from reasoner.language.terms import Term, Variable, substitute
from reasoner.rewrite.estimate import Estimate
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule
from reasoner.rules.statics import static_relations

AUXILIARY = "split "
"""Names of auxiliary relations begin so; the space keeps them apart from anything a rulesheet can spell."""

STATIC_DISCOUNT = 0.1
"""A join settled before play costs grounding time and no gates."""


def split_bodies(program: Program) -> Program:
    """`program` with every body split as far as its local variables allow; the same model on its own relations."""
    splitter = _Splitter(static_relations(program), Estimate.of(program))
    split = [rule for source in program.rules for rule in splitter.split(source)]
    return Program(tuple(splitter.auxiliaries) + tuple(split), program.roles)


@dataclass
class _Bucket:
    """The conditions to be joined for one variable, and what of them the rest still needs."""

    conditions: list[Condition]
    rest: list[Condition]
    kept: list[Variable]
    size: float  # expected instances
    cost: float


@dataclass
class _Splitter:
    static: frozenset[Relation]
    estimate: Estimate
    ranges: dict[Variable, float] = field(default_factory=dict)  # of the rule at hand
    auxiliaries: list[Rule] = field(default_factory=list)
    known: dict[tuple[Condition, ...], str] = field(default_factory=dict)

    def split(self, rule: Rule) -> list[Rule]:
        """The rule with its local variables eliminated one by one; auxiliary rules go to `auxiliaries`."""
        head_variables = set(rule.head.variables())
        self.ranges = self.estimate.variables(rule)
        body = list(dict.fromkeys(rule.body))
        while bucket := self._cheapest(body, head_variables):
            body = [self._auxiliary(bucket, rule), *bucket.rest]
        return [Rule(rule.head, tuple(body), rule.span)]

    def _cheapest(self, body: list[Condition], head: set[Variable]) -> _Bucket | None:
        """The bucket that costs least to join among those that leave something to join with, if any."""
        local = [v for v in dict.fromkeys(_variables(body)) if v not in head]
        buckets = [bucket for v in local if (bucket := self._bucket(v, body, head)) and bucket.rest]
        return min(buckets, key=lambda b: (b.cost, len(b.kept)), default=None)

    def _bucket(self, variable: Variable, body: list[Condition], head: set[Variable]) -> _Bucket | None:
        """What must be joined to eliminate `variable`; None when that needs the whole body."""
        chosen = [c for c in body if variable in c.variables()]
        chosen = self._made_safe(chosen, body)
        covered = set(_variables(chosen))
        absorbed = [c for c in body if c not in chosen and self._filters(c) and covered.issuperset(c.variables())]
        inside = [c for c in body if c in chosen or c in absorbed]
        rest = [c for c in body if c not in inside]
        if not any(not self._filters(c) or not covered.issuperset(c.variables()) for c in rest):
            return None
        needed = head | set(_variables(rest))
        kept = [v for v in dict.fromkeys(_variables(inside)) if v in needed]
        if len(kept) == len(covered):
            return None
        size = self.estimate.join(inside, self.ranges)
        cost = size * STATIC_DISCOUNT if all(map(self._filters, inside)) else size
        return _Bucket(inside, rest, kept, size, cost)

    def _filters(self, condition: Condition) -> bool:
        """Whether the condition is settled before play: it only narrows, and costs nothing in the circuit."""
        return isinstance(condition, Distinct) or condition.atom.relation in self.static

    def _made_safe(self, chosen: list[Condition], body: list[Condition]) -> list[Condition]:
        """`chosen` with positive literals added until each of its variables stands in one of them."""
        while missing := set(_variables(chosen)) - _bound(chosen):
            binders = [c for c in body if _is_positive(c) and c not in chosen and missing & set(c.variables())]
            have = set(_variables(chosen))
            chosen = [*chosen, min(binders, key=lambda c: (not self._filters(c), len(set(c.variables()) - have)))]
        return chosen

    def _auxiliary(self, bucket: _Bucket, rule: Rule) -> Literal:
        """The atom that stands for the bucket; buckets equal up to names of variables share one relation."""
        renaming: dict[Variable, Term] = {v: Variable(f"k{i}") for i, v in enumerate(bucket.kept)}
        for v in _variables(bucket.conditions):
            renaming.setdefault(v, Variable(f"v{len(renaming)}"))
        conditions = tuple(_renamed(c, renaming) for c in bucket.conditions)
        name = self.known.get(conditions)
        if name is None:
            name = self.known[conditions] = f"{AUXILIARY}{len(self.known) + 1}"
            kept = tuple(renaming[v] for v in bucket.kept)
            self.auxiliaries.append(Rule(Atom(name, kept), conditions, rule.span))
            self.static |= self._if_static(self.auxiliaries[-1])
            self.estimate.record((name, len(kept)), bucket.size, (self.ranges.get(v, 1) for v in bucket.kept))
        return Literal(Atom(name, tuple(bucket.kept)))

    def _if_static(self, rule: Rule) -> frozenset[Relation]:
        return frozenset([rule.head.relation]) if all(map(self._filters, rule.body)) else frozenset()


def _variables(conditions: Iterable[Condition]) -> Iterable[Variable]:
    return (v for c in conditions for v in c.variables())


def _is_positive(condition: Condition) -> bool:
    return isinstance(condition, Literal) and condition.positive


def _bound(conditions: Iterable[Condition]) -> set[Variable]:
    return set(_variables(c for c in conditions if _is_positive(c)))


def _renamed(condition: Condition, renaming: dict[Variable, Term]) -> Condition:
    if isinstance(condition, Distinct):
        return Distinct(substitute(condition.left, renaming), substitute(condition.right, renaming))
    atom = condition.atom
    return Literal(Atom(atom.name, tuple(substitute(a, renaming) for a in atom.arguments)), condition.positive)
