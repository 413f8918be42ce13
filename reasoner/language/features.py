"""Logical features: the number of distinct solutions of a conjunction, projected on its counted variables.

Source: Kaneko, Yamaguchi, Kawai, An Efficient Evaluation Method for Logical Features by the Relational Algebra.
Literals without common variables form separate groups, which are computed once per feature. The value of a feature is
the product of the counts of its groups. A group without a counted variable counts as 1 if it has a solution, otherwise
as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reasoner.errors import StateError, TermError
from reasoner.language.literals import Condition, Literal, Relation
from reasoner.language.parse import read_conjunction, read_term
from reasoner.language.terms import Variable

CHANGES: frozenset[Relation] = frozenset({("init", 1), ("next", 1), ("does", 2)})
"""Relations that define states or joint moves, and are not properties of a state."""


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Conditions that are connected by common variables, and their counted variables."""

    conditions: tuple[Condition, ...]
    counted: tuple[Variable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """Groups that share no variable. Features are compared by identity, so that looking up many of them is fast."""

    groups: tuple[FeatureGroup, ...]

    def relations(self) -> frozenset[Relation]:
        """Return the relations that the feature reads."""
        conditions = (c for group in self.groups for c in group.conditions)
        return frozenset(c.atom.relation for c in conditions if isinstance(c, Literal))


def read_feature(conjunction: str, counted: Iterable[str]) -> Feature:
    """Return the feature of a conjunction in KIF; `counted` are the names of its counted variables, such as ``?a``.

    Raises TermError if the text is not a safe conjunction or has no variable with a counted name, and StateError on a
    relation that defines states or joint moves.
    """
    conditions = read_conjunction(conjunction)
    for condition in conditions:
        if isinstance(condition, Literal) and condition.atom.relation in CHANGES:
            raise StateError(f"{condition.atom.name} is not a property of a state and cannot be counted: remove it")
    present = {v for c in conditions for v in c.variables()}
    return Feature(_groups(conditions, [_variable(name, present) for name in dict.fromkeys(counted)]))


def _variable(name: str, present: set[Variable]) -> Variable:
    variable = read_term(name)
    if not isinstance(variable, Variable) or variable not in present:
        known = " ".join(sorted(map(str, present)))
        raise TermError(f"{name} is not a variable of the conjunction; its variables: {known or 'none'}")
    return variable


def _groups(conditions: Sequence[Condition], counted: Sequence[Variable]) -> tuple[FeatureGroup, ...]:
    """Group the conditions by common variables; a condition without variables is a separate group."""
    groups: list[tuple[list[Condition], set[Variable]]] = []
    for condition in conditions:
        joined, variables = [condition], set(condition.variables())
        for members, others in [group for group in groups if group[1] & variables]:
            groups.remove((members, others))
            joined = members + joined
            variables |= others
        groups.append((joined, variables))
    return tuple(
        FeatureGroup(tuple(joined), tuple(v for v in counted if v in variables)) for joined, variables in groups
    )
