"""The recursion restriction (Love et al., GDL specification, 2008), which keeps derivations finite."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.language.report import FaultReport
from reasoner.language.terms import Term, is_ground
from reasoner.rules.dependencies import components
from reasoner.rules.formulas import Conjunction, Disjunction, Formula, Sentence, Statement
from reasoner.rules.program import Relation, is_auxiliary
from reasoner.rules.sheet import Sheet, word_of

_VIEWED = frozenset({("next", 1)})
"""Relations that no body contains after reading: `next` in a body is refused, or replaced by a view."""


def check_recursion(sheet: Sheet, report: FaultReport) -> None:
    """Check literals in a cycle with their head: each argument is ground, in the head, or bound outside the cycle."""
    graph = sheet.dependencies.every
    cycle_of = {relation: members for members in map(frozenset, components(graph)) for relation in members}
    for statement in sheet.statements:
        cycle = cycle_of.get(statement.head.atom.relation, frozenset()) - _VIEWED
        for literal, free in _unrestricted(statement.body, cycle, set(statement.head.atom.arguments)):
            report.warn(
                "recursion-restriction",
                f"GDL forbids this recursion, as it may be infinite: the argument {free} of {literal.atom} is"
                " neither in the head nor bound outside the recursion",
                f"Bind {free} in a positive literal that does not depend on {_shown(statement)},"
                " or pass it through the head.",
                word_of(literal),
            )


def _shown(statement: Statement) -> str:
    relation = statement.head.atom.relation
    return "the negated literal" if is_auxiliary(relation) else relation[0]


def _unrestricted(
    parts: tuple[Formula, ...], cycle: frozenset[Relation], allowed: set[Term]
) -> Iterator[tuple[Sentence, Term]]:
    """Yield the literals of the cycle that have an argument not in `allowed`, with the first such argument."""
    positive = [part for part in parts if isinstance(part, Sentence)]
    allowed = allowed.union(*(p.atom.arguments for p in positive if p.atom.relation not in cycle))
    for part in parts:
        if isinstance(part, Sentence) and part.atom.relation in cycle:
            free = next((a for a in part.atom.arguments if a not in allowed and not is_ground(a)), None)
            if free is not None:
                yield part, free
        elif isinstance(part, Disjunction | Conjunction):
            opened = [(choice,) for choice in part.parts] if isinstance(part, Disjunction) else [part.parts]
            for inner in opened:
                yield from _unrestricted(inner, cycle, allowed)
