"""Estimate how many instances a conjunction has, as database optimisers do (Selinger et al. 1979).

Every variable has each value of its domain with equal probability. Every literal is true for a share of these values,
independently of the other literals: the rows of its relation, divided by all combinations of its arguments' domains.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

from reasoner.language.terms import Variable
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.program import Condition, Program, Relation, Rule, is_positive
from reasoner.rules.strata import stratify

MAX_ROUNDS = 50
"""Maximum rounds for a recursive view; a view that still grows is estimated as full: all combinations."""

MIN_GROWTH = 1.01
"""Minimum factor by which the size of a view increases in a round, for the view to count as growing."""

MAX_SIZE = 1e100
"""Sizes are at most this, so that products of two are finite: rules of strangers may have any number of variables."""


def _product(sizes: Iterable[float]) -> float:
    return min(prod(float(min(size, MAX_SIZE)) for size in sizes), MAX_SIZE)


@dataclass
class Estimate:
    """Estimated sizes of relations and joins."""

    domains: Domains
    sizes: dict[Relation, float] = field(default_factory=dict)
    _widest: dict[Relation, float] = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program) -> Estimate:
        """Return the estimate for a program; a view's size is computed from the relations that it reads."""
        known = _estimated(program)
        return cls(known.domains, dict(known.sizes), dict(known._widest))

    @classmethod
    def _worked_out(cls, program: Program) -> Estimate:
        estimate = cls(domains(program))
        for component in stratify(program):
            estimate.sizes |= dict.fromkeys(component.relations, 0.0)
            for _ in range(MAX_ROUNDS if component.recursive else 1):
                sizes = {r: estimate._view(r, component.rules) for r in component.relations}
                if all(size <= MIN_GROWTH * estimate.sizes[r] for r, size in sizes.items()):
                    break
                estimate.sizes |= sizes
            else:
                if component.recursive:
                    estimate.sizes |= {r: estimate.full(r) for r in component.relations}
        return estimate

    def variables(self, rule: Rule) -> dict[Variable, float]:
        """Return the size of the domain of each variable of a rule."""
        return {v: _product([max(1, domain.size())]) for v, domain in variable_domains(rule, self.domains).items()}

    def join(self, conditions: Iterable[Condition], ranges: dict[Variable, float]) -> float:
        """Return the expected number of instances of a conjunction; `ranges` are the domain sizes of its variables."""
        conditions = list(conditions)
        size = _product(ranges.get(v, 1.0) for v in {v for c in conditions for v in c.variables()})
        shares = [self._share(c.atom.relation) for c in conditions if is_positive(c)]
        return max(1.0, size * prod(shares))

    def record(self, relation: Relation, size: float, ranges: Iterable[float]) -> None:
        """Record the size of an auxiliary relation; `ranges` are the domain sizes of its arguments."""
        self._widest[relation] = _product(ranges)
        self.sizes[relation] = min(size, self._widest[relation])

    def _share(self, relation: Relation) -> float:
        """Return the share of its arguments' combinations that a relation contains, at most 1."""
        if relation not in self.sizes:
            return 1
        return min(1, self.sizes[relation] / max(1, self.full(relation)))

    def full(self, relation: Relation) -> float:
        """Return the maximum number of rows of a relation: all combinations of its arguments' domains."""
        if relation not in self._widest:
            self._widest[relation] = _product(d.size() for d in self.domains.get(relation, ()))
        return self._widest[relation]

    def _view(self, relation: Relation, rules: Iterable[Rule]) -> float:
        joins = (self.join(r.body, self.variables(r)) for r in rules if r.head.relation == relation)
        return min(self.full(relation), sum(joins))


@lru_cache(maxsize=4)
def _estimated(program: Program) -> Estimate:
    """Return the estimate of a program, cached for several passes."""
    return Estimate._worked_out(program)
