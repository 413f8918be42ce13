"""Check of stratification: nothing depends on its own negation."""

from __future__ import annotations

from reasoner.language.expressions import Expression
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.rules.formulas import Statement
from reasoner.rules.negative_cycles import CycleSearch, Feasibility
from reasoner.rules.next_views import shown
from reasoner.rules.program import Atom, Literal, Program, Rule
from reasoner.rules.sheet import Sheet, sentences, word_of
from reasoner.rules.strata import Component, stratify


def check_stratification(sheet: Sheet, report: FaultReport) -> None:
    """Check that no ground atom depends on its own negation; warn if a relation does, but no atom is known to."""
    program = Program(tuple(sheet.rules), ())
    cyclic = [component for component in stratify(program) if component.negative_cycle]
    feasibility = Feasibility(program) if cyclic else None
    for component in cyclic[:MAX_OF_A_KIND]:
        assert feasibility is not None
        _check_component(component, feasibility, sheet, report)


def _check_component(component: Component, feasibility: Feasibility, sheet: Sheet, report: FaultReport) -> None:
    search = CycleSearch(component)
    if search.impossible():
        _warn(component, "no atom depends on its own negation", sheet, report)
        return
    cycle = search.certain(feasibility)
    if cycle is None:
        _warn(component, "only grounding decides whether an atom depends on its own negation", sheet, report)
        return
    named = [name for atom in cycle.atoms if (name := shown(atom)) is not None]
    path = " ← ".join(named)
    report.error(
        "unstratified",
        f"{shown(cycle.negated) or named[-1]} depends on its own negation: {path}",
        "Remove the `not`, or negate a relation that does not depend on this one.",
        _place(cycle.rule, cycle.negated, sheet),
    )


def _warn(component: Component, outcome: str, sheet: Sheet, report: FaultReport) -> None:
    rule, atom = next(
        (rule, condition.atom)
        for rule in component.rules
        for condition in rule.body
        if isinstance(condition, Literal) and not condition.positive and condition.atom.relation in component.relations
    )
    names = [name.strip("()").split()[0] for one in (rule.head, atom) if (name := shown(one)) is not None]
    first, last = names[0] if names else "a condition", names[-1] if names else "a condition"
    report.warn(
        "stratified-only-when-grounded",
        f"`{first}` depends on `{last}` and on its negation; {outcome}",
        "Split the relation into two: one without the `not`, and one that negates it.",
        _place(rule, atom, sheet),
    )


def _place(rule: Rule, negated: Atom, sheet: Sheet) -> Expression:
    """Return the source expression of the negated literal of `rule`."""
    origin = _origin(rule, sheet)
    for sentence, positive in sentences(origin.body):
        if not positive and sentence.atom.relation == negated.relation:
            return word_of(sentence)
    return origin.source


def _origin(rule: Rule, sheet: Sheet) -> Statement:
    return next(origin for other, origin in zip(sheet.rules, sheet.origins, strict=True) if other is rule)
