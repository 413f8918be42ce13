"""Check of variables for which no value satisfies two conditions of a rule.

(<= (legal ?r (jump ?x ?y)) (true (cell ?x ?y ?x)) …)  no column is also a piece
(<= (next (step ?x)) (true (step ?x)) (color ?x))      no number is a color
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.domains import Domain, Domains, occurrences, possible
from reasoner.rules.program import Atom, Rule, is_positive
from reasoner.rules.sheet import Sheet, located

_Occurrence = tuple[Atom, Domain]


def check_joins(sheet: Sheet, report: FaultReport, known: Domains) -> None:
    """Report each variable whose places have no term in common; `known`: complete domains of all relations."""
    for rule, statement in zip(sheet.rules, sheet.origins, strict=True):
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


def _excluding(found: Sequence[_Occurrence]) -> tuple[Atom, Atom] | None:
    if any(domain.size() == 0 for _, domain in found):
        return None
    for (one, first), (other, second) in combinations(found, 2):
        if first.meet(second).size() == 0:
            return one, other
    return None
