"""Goals that may fall below 0 or exceed 100, which only play shows for certain."""

from __future__ import annotations

from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.points import FULL, strange_goals
from reasoner.rules.sheet import Sheet, located


def check_high_goals(sheet: Sheet, report: FaultReport) -> None:
    """A variable goal stays within 0..100, judging by the constants that it may take."""
    heads = [statement.head for statement in sheet.heads.get(("goal", 2), ())]
    head = next((each for each in heads if isinstance(each.atom.arguments[1], Variable)), None)
    if head is None or not (strange := strange_goals(sheet.rules)):
        return
    value = str(head.atom.arguments[1])
    place = located(value, head.source)
    if strange[-1] > FULL:
        told = f"the goal {value} may reach {strange[-1]}, which then counts as 100% in scores and rewards"
        report.warn("high-goal", told, "Scale the goals to 0..100.", place)
    if strange[0] < 0:
        told = f"the goal {value} may be {strange[0]}, which is not a valid goal and counts as 0"
        report.warn("negative-goal", told, "Scale the goals to 0..100.", place)
