"""Variable elimination for counts: join the conditions of each uncounted variable, and project the variable away.

Bucket elimination (Dechter 1999): the conditions that contain a variable become the body of a new relation. Its columns
are only the variables that the other conditions still need. The relation is named after its conditions, so features
with equal conditions share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoner.language.literals import Atom, Condition, Literal, is_positive, variables_in
from reasoner.language.terms import Variable

MAX_VARIABLES = 2
"""Maximum columns of a derived relation; a relation with more columns is rarely smaller than its inputs."""


@dataclass(frozen=True, slots=True)
class DerivedRelation:
    """A relation with one rule: its head is true wherever all its conditions are true."""

    head: Atom
    conditions: tuple[Condition, ...]


def eliminate(
    conditions: Sequence[Condition], counted: Sequence[Variable]
) -> tuple[list[DerivedRelation], tuple[Condition, ...]]:
    """Return relations that project some uncounted variables away, and the remaining conditions to join."""
    steps: list[DerivedRelation] = []
    rest = list(conditions)
    while chosen := _cheapest(rest, counted):
        bucket, kept = chosen
        step, literal = _derived(bucket, kept)
        steps.append(step)
        rest = [literal, *(c for c in rest if c not in bucket)]
    return steps, tuple(rest)


def _cheapest(rest: Sequence[Condition], counted: Sequence[Variable]) -> tuple[list[Condition], list[Variable]] | None:
    """Return the conditions of the variable whose elimination keeps the fewest variables, and those variables."""
    found = []
    for variable in dict.fromkeys(v for c in rest for v in c.variables() if v not in counted):
        bucket = _with_tests([c for c in rest if variable in c.variables()], rest)
        others = [c for c in rest if c not in bucket]
        needed = {*counted, *variables_in(others)}
        kept = [v for v in dict.fromkeys(variables_in(bucket)) if v in needed]
        positive = [c for c in bucket if is_positive(c)]
        if others and len(kept) <= MAX_VARIABLES and {*variables_in(bucket)} <= {*variables_in(positive)}:
            found.append((len(kept), len(bucket), bucket, kept))
    return min(found, key=lambda f: f[:2])[2:] if found else None


def _with_tests(bucket: list[Condition], rest: Sequence[Condition]) -> list[Condition]:
    """Return the bucket and all other conditions over its variables only."""
    covered = set(variables_in(bucket))
    return [c for c in rest if c in bucket or (covered.issuperset(c.variables()) and [*c.variables()])]


def _derived(bucket: Sequence[Condition], kept: Sequence[Variable]) -> tuple[DerivedRelation, Literal]:
    names = {v: Variable(f"k{i}") for i, v in enumerate(kept)}
    for variable in variables_in(bucket):
        names.setdefault(variable, Variable(f"v{len(names)}"))
    conditions = tuple(c.substituted(names) for c in bucket)
    name = f"joined {' '.join(map(str, conditions))}"
    return DerivedRelation(Atom(name, tuple(names[v] for v in kept)), conditions), Literal(Atom(name, tuple(kept)))
