"""Goals that may come to less than 0 or more than 100, which only play shows for certain."""

from __future__ import annotations

from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.points import FULL, strange_goals
from reasoner.rules.sheet import Sheet, located


def check_high_goals(sheet: Sheet, report: FaultReport) -> None:
    """A variable goal stays within 0..100, as far as the constants tell that can come to stand for it."""
    heads = [statement.head for statement in sheet.heads.get(("goal", 2), ())]
    head = next((each for each in heads if isinstance(each.atom.arguments[1], Variable)), None)
    if head is None or not (strange := strange_goals(sheet.rules)):
        return
    value = str(head.atom.arguments[1])
    place = located(value, head.source)
    if strange[-1] > FULL:
        told = (
            f"the goal {value} may come to {strange[-1]}, which then counts as the whole in scores and rewards, not 100"
        )
        report.warn("high-goal", told, "Scale the goals to 0..100.", place)
    if strange[0] < 0:
        told = f"the goal {value} may come to {strange[0]}, which is no goal and counts as 0"
        report.warn("negative-goal", told, "Scale the goals to 0..100.", place)
