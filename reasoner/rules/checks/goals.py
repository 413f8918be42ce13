"""Checks of goal values, and of role names."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import islice

from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.language.unify import unify
from reasoner.rules.checks.misspelled import number_meant
from reasoner.rules.formulas import Sentence
from reasoner.rules.points import FULL, strange_goals
from reasoner.rules.sheet import Sheet, located

BY_ROLE = frozenset({("legal", 2), ("does", 2), ("goal", 2), ("input", 2), ("sees", 2)})


def check_goals(sheet: Sheet, report: FaultReport) -> None:
    """Check that each constant goal in a head is an integer from 0 to 100."""
    for statement in sheet.heads.get(("goal", 2), ()):
        value = statement.head.atom.arguments[1]
        if not isinstance(value, Variable) and not _is_goal(value):
            report.error(
                "goal-value",
                f"the goal {value} is not an integer from 0 to 100",
                _fix(str(value)),
                located(str(value), statement.head.source),
            )


def _fix(value: str) -> str:
    bare = re.sub(r"\.0*$", "", value.strip("\"'`,%"))
    bare = number_meant(bare) or bare
    return f"Write {bare}." if bare != value and _is_goal(Constant(bare)) else "Scale the goals to 0..100."


def _is_goal(value: Term) -> bool:
    return isinstance(value, Constant) and re.fullmatch("0*(100|[0-9]{1,2})", value.name) is not None


def check_high_goals(sheet: Sheet, report: FaultReport) -> None:
    """Check that the possible values of each variable goal are within 0..100."""
    heads = [statement.head for statement in sheet.heads.get(("goal", 2), ())]
    head = next((each for each in heads if isinstance(each.atom.arguments[1], Variable)), None)
    if head is None or not (strange := strange_goals(sheet.rules)):
        return
    value = str(head.atom.arguments[1])
    place = located(value, head.source)
    if strange[-1] > FULL:
        message = f"the goal {value} may reach {strange[-1]}, so {strange[-1]} counts as 100% in scores and rewards"
        report.warn("high-goal", message, "Scale the goals to 0..100.", place)
    if strange[0] < 0:
        message = f"the goal {value} may be {strange[0]}, which is not a valid goal and counts as 0"
        report.warn("negative-goal", message, "Scale the goals to 0..100.", place)


def check_role_names(sheet: Sheet, report: FaultReport) -> None:
    """Check that the first arguments of `legal`, `does`, `goal`, `input` and `sees` are roles."""
    sentences = [s.head for s in sheet.statements] + [u.sentence for u in sheet.uses]
    strangers = (s for s in sentences if s.atom.relation in BY_ROLE and _names_stranger(s, sheet))
    for sentence in islice(strangers, MAX_OF_A_KIND):
        role = str(sentence.atom.arguments[0])
        report.warn(
            "unknown-role",
            f"the first argument of `{sentence.atom.name}` is {role}, which is not a role",
            _role_meant(sentence, sheet, report.source.infix),
            located(role, sentence.source),
        )


def _role_meant(sentence: Sentence, sheet: Sheet, infix: bool) -> str:
    """The fix for a first argument that is not a role: the arguments are swapped, or the name is misspelled."""
    role, other = sentence.atom.arguments
    name = sentence.atom.name
    value_first = name.lower() == "goal" and str(role).isdigit() and not str(other).isdigit()
    if isinstance(role, Compound) or other in sheet.roles or value_first:
        return f"Write the role first: ({name} {_ARGUMENTS.get(name.lower(), 'ROLE MOVE')})."
    near = get_close_matches(str(role), map(str, sheet.roles), 1)
    if near:
        return f"Did you mean {near[0]}?"
    bare = re.sub(r"\W", "", str(role))
    variable = bare.capitalize() if infix else f"?{bare}"
    meant = f", or write {variable} if a variable is meant" if bare and not bare[0].isdigit() else ""
    return f"State (role {role}), or name one of the roles{meant}."


_ARGUMENTS = {"goal": "ROLE VALUE", "sees": "ROLE PERCEPT"}


def _names_stranger(sentence: Sentence, sheet: Sheet) -> bool:
    """Whether the first argument is a term that cannot be equal to a role."""
    role = sentence.atom.arguments[0]
    if not sheet.roles or isinstance(role, Variable) or role in sheet.roles:
        return False
    return isinstance(role, Constant) or all(unify([(role, known)]) is None for known in sheet.roles)
