"""Split rule bodies so that local variables are joined and projected away early.

Grounding a body with k variables over n values creates up to n^k instances. A variable that does not occur in the head
can be eliminated first. The conditions that contain it (its *bucket*) become the body of an auxiliary rule, whose head
has only the variables that occur outside the bucket. This is bucket elimination (Dechter 1999), as in lpopt's tree
decompositions (Bichler, Morak & Woltran 2016). The variable whose bucket has the smallest expected join is eliminated
first. In the circuit the auxiliary atom is one disjunction, not a copy in every instance.

A literal with a key (`reasoner.rewrite.keys`) can be split between the bucket and the rest. The key determines the
other arguments, so the literal equals the join of two projections that share the key (Heath 1971). The projection in
the bucket has the arguments that the bucket needs; the other projection stays outside. Then the auxiliary atom needs
none of the determined arguments. For example, the origin of a piece is joined separately from its destination.

If stated facts determine a variable from the other variables of its bucket, as with a successor, eliminating it leaves
as many rows as before. Large joins are not split for such a variable.

Rules that differ only in constants, such as one rule for each row of a board, share one elimination order, which is
searched once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import prod

from reasoner.diagnostics import Span
from reasoner.language.terms import Compound, Term, Variable
from reasoner.rewrite.chase import FunctionalDependency, Kind, columns, stated_laws
from reasoner.rewrite.drop_unused import drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.keys import Rewritten, closure, find_keys, law_of
from reasoner.rules.program import (
    Atom,
    Condition,
    Distinct,
    Literal,
    Program,
    Relation,
    Rule,
    is_positive,
    variables_in,
)
from reasoner.rules.strata import static_relations

AUXILIARY, POSSIBLE = "split", "possible"
"""Prefixes of the names of auxiliary relations. A space follows; no name in a rulesheet contains a space."""

MIN_ROWS = 10_000
"""Minimum estimated rows of a large view."""

STATIC_DISCOUNT = 0.1
"""The cost factor of a static join: it costs grounding time, but has no gates."""


def split_bodies(program: Program) -> Rewritten:
    """Split every body of `program` as far as its local variables allow; the rows of its relations are unchanged."""
    keys, static = find_keys(program), static_relations(program)
    splitter = _Splitter(static, program.selected, Estimate.of(program), dict(keys.laws), stated_laws(program))
    split = [rule for source in program.rules for rule in splitter.split(source)]
    own = frozenset(rule.head.relation for rule in program.rules)
    rules = (*splitter.auxiliaries, *split)
    made = replace(program, rules=rules, possible=program.possible | splitter.possible)
    return Rewritten(drop_unused(made, own), keys)


@dataclass
class _Bucket:
    """The conditions to join for one variable, and the variables (`kept`) that the `rest` of the body needs."""

    variable: Variable
    conditions: list[Condition]
    rest: list[Condition]
    kept: list[Variable]
    size: float  # expected instances
    cost: float
    split_literals: list[_SplitLiteral]


@dataclass(frozen=True)
class _SplitLiteral:
    """A literal split by its key: the variables of its projections `inside` and `outside` the bucket."""

    literal: Literal
    inside: tuple[Variable, ...]
    outside: tuple[Variable, ...]


@dataclass
class _Splitter:
    static: frozenset[Relation]
    selected: frozenset[Relation]
    estimate: Estimate
    laws: dict[Kind, FunctionalDependency]
    stated: dict[Relation, list[FunctionalDependency]]
    ranges: dict[Variable, float] = field(default_factory=dict)  # of the current rule
    span: Span | None = None  # of the current rule
    auxiliaries: list[Rule] = field(default_factory=list)
    possible: set[Relation] = field(default_factory=set)
    known: dict[tuple[str, tuple[Condition, ...], tuple[Term, ...]], str] = field(default_factory=dict)
    read: dict[int, tuple[Condition, tuple[Variable, ...]]] = field(default_factory=dict)  # by object identity
    orders: dict[object, list[int]] = field(default_factory=dict)  # elimination orders, by the shape of the rule

    def split(self, rule: Rule) -> list[Rule]:
        """Return the rule with its local variables eliminated one by one; auxiliary rules go to `auxiliaries`."""
        head_variables = set(rule.head.variables())
        self.ranges, self.span, self.read = self.estimate.variables(rule), rule.span, {}
        body, variables = list(dict.fromkeys(rule.body)), list(dict.fromkeys(rule.variables()))
        shape = _shape(rule), tuple(map(self.ranges.get, variables))
        known, lost = self.orders.get(shape), list[int]()
        while bucket := self._cheapest(
            body, head_variables, None if known is None else [variables[i] for i in known[len(lost) :][:1]]
        ):
            lost.append(variables.index(bucket.variable))
            conditions, rest = bucket.conditions, bucket.rest
            for one in bucket.split_literals:
                inside, outside = (self._projection(one.literal, vs) for vs in (one.inside, one.outside))
                conditions = [inside if c == one.literal else c for c in conditions]
                rest = [*rest, outside]
            body = [self._auxiliary(conditions, bucket.kept, bucket.size), *rest]
        self.orders[shape] = lost
        return [Rule(rule.head, tuple(body), rule.span)]

    def _projection(self, literal: Literal, kept: tuple[Variable, ...]) -> Literal:
        """Return the literal projected on the variables `kept`: the literal itself, or an auxiliary one."""
        if set(kept) == set(literal.variables()):
            return literal
        projected = self._auxiliary([literal], list(kept), self._range(kept))
        if law := law_of(literal, self.laws):
            key, determined = ({i for i, v in enumerate(kept) if v in part} for part in law)
            self.laws[(projected.atom.name, "", len(kept))] = (frozenset(key), frozenset(determined))
        return projected

    def _range(self, variables: Iterable[Variable]) -> float:
        return prod(self.ranges.get(v, 1.0) for v in variables)

    def _cheapest(
        self, body: list[Condition], head: set[Variable], among: list[Variable] | None = None
    ) -> _Bucket | None:
        """Return the cheapest bucket that leaves other conditions in the body; None if there is none.

        among: the candidate variables; by default all variables that do not occur in the head.
        """
        local = [v for v in dict.fromkeys(self._all(body)) if v not in head] if among is None else among
        buckets = [bucket for v in local if (bucket := self._bucket(v, body, head))]
        return min(buckets, key=lambda b: (b.cost, len(b.kept)), default=None)

    def _bucket(self, variable: Variable, body: list[Condition], head: set[Variable]) -> _Bucket | None:
        """Return the bucket of `variable`; None if it needs the whole body, or would not reduce the rows."""
        chosen = [c for c in body if variable in self._of(c)]
        chosen, binders = self._made_safe(chosen, body)
        outside = _without(body, chosen)
        needed = head | set(self._all(outside))
        narrow = _narrowed(self._split_literals(chosen, needed, variable)[0])
        covered = {v for c in chosen for v in narrow.get(id(c), self._of(c))}
        absorbed = [c for c in outside if self._filters(c) and covered.issuperset(self._of(c))]
        rest = _without(outside, absorbed)
        inside = _without(chosen, body) + _without(body, rest)
        split_literals, bound = self._split_literals(inside, head | set(self._all(rest)), variable)
        others = _without(rest, binders)
        if not split_literals and not any(not self._filters(c) or not covered.issuperset(self._of(c)) for c in others):
            return None
        narrow = _narrowed(split_literals)
        used = dict.fromkeys(v for c in inside for v in narrow.get(id(c), self._of(c)))
        kept = [v for v in used if v in bound]
        if len(kept) == len(used):
            return None
        size = self.estimate.join(inside, {v: n for v, n in self.ranges.items() if v in used})
        if size >= MIN_ROWS and not split_literals and closure(kept, inside, self.stated).issuperset(used):
            return None
        cost = size * STATIC_DISCOUNT if all(map(self._filters, inside)) else size
        return _Bucket(variable, inside, rest, kept, size, cost, split_literals)

    def _of(self, condition: Condition) -> tuple[Variable, ...]:
        """Return the variables of a condition; cached while a rule is split."""
        found = self.read.get(id(condition))
        if found is None:
            found = self.read[id(condition)] = (condition, tuple(condition.variables()))
        return found[1]

    def _all(self, conditions: Iterable[Condition]) -> Iterable[Variable]:
        return (v for c in conditions for v in self._of(c))

    def _split_literals(
        self, inside: list[Condition], needed: set[Variable], variable: Variable
    ) -> tuple[list[_SplitLiteral], set[Variable]]:
        """Return the literals to split by their keys, and the needed variables that the bucket must keep."""
        split_literals: list[_SplitLiteral] = []
        for literal in inside:
            if isinstance(literal, Distinct) or not literal.positive or self._filters(literal):
                continue
            law = law_of(literal, self.laws)
            if law is None or not law[0] <= needed:
                continue
            key, determined = law
            own = dict.fromkeys(self._of(literal))
            shared = set(self._all(c for c in inside if c is not literal))
            joined = shared | {variable}
            out = {v for v in own if v in needed} - key
            dropped = out & determined
            if (
                (shared & own.keys()) - key
                and dropped
                and (out <= determined or (joined & own.keys()) - key <= determined)
            ):
                inner = tuple(v for v in own if v in joined or v in key)
                split_literals.append(_SplitLiteral(literal, inner, tuple(v for v in own if v in out or v in key)))
                needed = needed - dropped
        return split_literals, needed

    def _filters(self, condition: Condition) -> bool:
        """Whether the condition is static: it has no gates in the circuit."""
        return isinstance(condition, Distinct) or condition.atom.relation in self.static

    def _made_safe(self, chosen: list[Condition], body: list[Condition]) -> tuple[list[Condition], list[Condition]]:
        """Return `chosen` with positive literals added until it is safe: each variable occurs in a positive literal.

        If `chosen` contains a large negated view that is not static, added literals that are not static are replaced by
        their possible rows. The original literals stay outside the bucket, and are returned as the second list.
        """
        safe = self._bound(chosen, body)
        have = set(variables_in(chosen))
        missing = have - _bound(chosen)
        large = [c for c in chosen if isinstance(c, Literal) and not c.positive and not self._filters(c)]
        large = [c for c in large if self._is_large(c.atom.relation)]
        if not missing.intersection(variables_in(large)):
            return safe, []
        alone = [[*chosen, c] for c in body if is_positive(c) and missing.issubset(c.variables())]
        safe = min([*alone, safe], key=self._size)
        outside = [c for c in safe if c not in chosen and not self._filters(c)]
        return [self._possible(c, have) if c in outside else c for c in safe], outside

    def _is_large(self, view: Relation) -> bool:
        return self.estimate.sizes.get(view, 0) >= MIN_ROWS or view in self.selected

    def _bound(self, chosen: list[Condition], body: list[Condition]) -> list[Condition]:
        """Return `chosen` made safe by literals that add few new variables."""
        while missing := set(variables_in(chosen)) - _bound(chosen):
            binders = [c for c in body if is_positive(c) and c not in chosen and missing & set(c.variables())]
            have = set(variables_in(chosen))
            chosen = [*chosen, min(binders, key=lambda c: (not self._filters(c), len(set(c.variables()) - have)))]
        return chosen

    def _size(self, conditions: list[Condition]) -> float:
        return self.estimate.join(conditions, self.ranges)

    def _possible(self, condition: Condition, variables: set[Variable]) -> Literal:
        """Return a literal for the possible values of `variables` in a condition; it has no gates in the circuit."""
        kept = [v for v in dict.fromkeys(condition.variables()) if v in variables]
        size = self.estimate.join([condition], self.ranges)
        literal = self._auxiliary([condition], kept, size, POSSIBLE)
        self.possible.add(literal.atom.relation)
        return literal

    def _auxiliary(
        self, conditions: list[Condition], kept: list[Variable], size: float, kind: str = AUXILIARY
    ) -> Literal:
        """Return the auxiliary literal for `conditions`; conditions equal up to variable names share one relation."""
        renaming: dict[Variable, Term] = {v: Variable(f"k{i}") for i, v in enumerate(kept)}
        for v in variables_in(conditions):
            renaming.setdefault(v, Variable(f"v{len(renaming)}"))
        renamed = tuple(c.substituted(renaming) for c in conditions)
        head = tuple(renaming[v] for v in kept)
        name = self.known.get((kind, renamed, head))
        if name is None:
            name = self.known[(kind, renamed, head)] = f"{kind} {len(self.known) + 1}"
            self.auxiliaries.append(Rule(Atom(name, head), renamed, self.span))
            self.static |= self._if_static(self.auxiliaries[-1])
            self.estimate.record((name, len(kept)), size, (self.ranges.get(v, 1) for v in kept))
        return Literal(Atom(name, tuple(kept)))

    def _if_static(self, rule: Rule) -> frozenset[Relation]:
        return frozenset([rule.head.relation]) if all(map(self._filters, rule.body)) else frozenset()


def _shape(rule: Rule) -> object:
    """Return the shape of a rule: equal for rules that differ only in names of variables, constants and heads."""
    numbers: dict[Variable, int] = {}

    def of(term: Term) -> object:
        if isinstance(term, Compound):
            return (term.functor, *map(of, term.arguments))
        return numbers.setdefault(term, len(numbers)) if isinstance(term, Variable) else None

    def shape(condition: Condition) -> object:
        if isinstance(condition, Distinct):
            return of(condition.left), of(condition.right)
        return condition.positive, condition.atom.name, columns(condition.atom)[0], *map(of, condition.atom.arguments)

    return (*map(of, rule.head.arguments), None, *map(shape, rule.body))


def _without(conditions: list[Condition], others: list[Condition]) -> list[Condition]:
    """Return the conditions that are not in `others`, compared by object identity."""
    numbers = set(map(id, others))
    return [c for c in conditions if id(c) not in numbers]


def _narrowed(split_literals: list[_SplitLiteral]) -> dict[int, tuple[Variable, ...]]:
    return {id(h.literal): h.inside for h in split_literals}


def _bound(conditions: Iterable[Condition]) -> set[Variable]:
    return set(variables_in(c for c in conditions if is_positive(c)))
