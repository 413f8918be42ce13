"""Check of variables for which no value satisfies two conditions of a rule, or of a role that is never one.

(<= (legal ?r (jump ?x ?y)) (true (cell ?x ?y ?x)) …)  no column is also a piece
(<= (next (step ?x)) (true (step ?x)) (color ?x))      no number is a color
(<= (legal ?x (mark ?x ?y)) (true (cell ?x ?y b)))     no column is a role
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.checks.goals import BY_ROLE
from reasoner.rules.domains import Domain, Domains, occurrences, possible
from reasoner.rules.program import Atom, Rule, is_positive
from reasoner.rules.sheet import Sheet, located

_Occurrence = tuple[Atom, Domain]


def check_joins(sheet: Sheet, report: FaultReport, known: Domains) -> None:
    """Report each variable whose places have no term in common; `known`: complete domains of all relations."""
    for rule, statement in zip(sheet.rules, sheet.origins, strict=True):
        if (atom := _without_role(rule, known)) is not None:
            name, role = rule.head.name, rule.head.arguments[0]
            report.warn(
                "no-common-value",
                f"no value of {role} in {atom} is a role, and {role} is the first argument of `{name}`",
                f"Write a variable for the role as the first argument of `{name}`, and bind it by a condition.",
                located(str(role), statement.head.source),
            )
        for variable, one, other in _apart(rule, known):
            if " " in one.name + other.name:  # relations of the translation
                continue
            both = f"{one}: it never holds" if one == other else f"{one} and {other}: they never hold together"
            report.warn(
                "no-common-value",
                f"no value of {variable} is possible in {both}",
                f"Give one of the two places another variable than {variable}, or correct the facts.",
                located(str(variable), *(part.source for part in statement.body)),
            )


def _apart(rule: Rule, known: Domains) -> Iterator[tuple[Variable, Atom, Atom]]:
    """Yield each variable without a possible value, with two conditions that exclude each other; they may be one."""
    atoms = [condition.atom for condition in rule.body if is_positive(condition)]
    if not all(possible(atom, known) for atom in atoms):
        return
    places: dict[Variable, list[_Occurrence]] = {}
    for atom in atoms:
        for variable, domain in occurrences(atom, known):
            places.setdefault(variable, []).append((atom, domain))
    for variable, found in places.items():
        pair = _excluding(found)
        if pair is not None:
            yield variable, *pair


def _without_role(rule: Rule, known: Domains) -> Atom | None:
    """Return a condition that binds the variable for the role in the head to terms that are no roles."""
    if rule.head.relation not in BY_ROLE or ("role", 1) not in known:
        return None
    roles = known["role", 1][0]
    atoms = [condition.atom for condition in rule.body if is_positive(condition)]
    found = [
        (atom, domain)
        for atom in atoms
        for variable, domain in occurrences(atom, known)
        if variable == rule.head.arguments[0]
    ]
    if any(" " in atom.name or domain.size() == 0 for atom, domain in found):
        return None
    return next((atom for atom, domain in found if domain.meet(roles).size() == 0), None)


def _excluding(found: Sequence[_Occurrence]) -> tuple[Atom, Atom] | None:
    if any(domain.size() == 0 for _, domain in found):
        return None
    for (one, first), (other, second) in combinations(found, 2):
        if first.meet(second).size() == 0:
            return one, other
    return None
