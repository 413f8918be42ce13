"""Errors for a run that failed."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import LimitError, RulesError
from reasoner.relational.bytecode import layout as at
from reasoner.relational.limits import named
from reasoner.rules.program import Relation, Rule

_GROWN = {
    at.ROWS_FULL: ("facts", "grows past {} facts"),
    at.TERMS_FULL: ("facts", "builds more than {} terms"),
    at.TERM_TOO_DEEP: ("depth", "builds terms nested more than {} deep"),
    at.TERM_TOO_LARGE: ("size", "builds terms of more than {} words"),
    at.BUDGET_SPENT: ("time", "takes more than {} steps to evaluate"),
}


def past_limit(status: int, relation: Relation | None, allowed: int) -> LimitError:
    """Return the error of a run that ended with `status` during the evaluation of `relation`."""
    limit, grown = _GROWN[status]
    return LimitError(f"{named(relation)} {grown.format(allowed)}", limit)


def undecided(atom: str, rules: Iterable[Rule]) -> RulesError:
    """Return the error of an atom that is neither true nor false; `rules` are those that could derive it."""
    fault = Diagnostic(
        Severity.ERROR,
        "unstratified",
        f"{atom} depends on its own negation in this state, so that it is neither true nor false",
        "Break the cycle: define the relation without negating, directly or not, the same atom.",
        next((rule.span for rule in rules), None),
    )
    return RulesError((fault,))
