"""The list of all checks of a rulesheet."""

from __future__ import annotations

from reasoner.language.report import FaultReport
from reasoner.rules.checks.circular import check_circular
from reasoner.rules.checks.comparisons import check_comparisons
from reasoner.rules.checks.flow import check_before_moves, check_declarations, check_init
from reasoner.rules.checks.goals import check_goals, check_high_goals, check_role_names
from reasoner.rules.checks.impossible import check_impossible
from reasoner.rules.checks.misspelled import check_constants
from reasoner.rules.checks.names import check_names, check_variables
from reasoner.rules.checks.placement import (
    check_bodies,
    check_empty,
    check_heads,
    check_lists,
    check_percepts,
    check_roles,
)
from reasoner.rules.checks.recursion import check_recursion
from reasoner.rules.checks.safety import check_safety
from reasoner.rules.checks.stratification import check_stratification
from reasoner.rules.checks.unmatched import check_unmatched
from reasoner.rules.checks.usage import (
    check_facts,
    check_misspelled_facts,
    check_moves,
    check_presence,
    check_relations,
)
from reasoner.rules.sheet import Sheet

CHECKS = (
    check_presence,
    check_heads,
    check_bodies,
    check_percepts,
    check_roles,
    check_lists,
    check_safety,
    check_comparisons,
    check_goals,
    check_high_goals,
    check_role_names,
    check_init,
    check_before_moves,
    check_declarations,
    check_recursion,
    check_stratification,
    check_names,
    check_variables,
    check_relations,
    check_facts,
    check_misspelled_facts,
    check_moves,
    check_unmatched,
    check_circular,
    check_constants,
    check_empty,
    check_impossible,
)


def validate(sheet: Sheet, report: FaultReport) -> None:
    """Add the findings of all checks to `report`."""
    for check in CHECKS:
        check(sheet, report)
