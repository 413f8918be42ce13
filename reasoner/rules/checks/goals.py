"""Goal values and role names in heads."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import islice

from reasoner.language.report import MOST_OF_A_KIND, FaultReport
from reasoner.language.terms import Constant, Term, Variable
from reasoner.rules.formulas import Sentence
from reasoner.rules.sheet import Sheet, located

_BY_ROLE = frozenset({("legal", 2), ("does", 2), ("goal", 2), ("input", 2), ("sees", 2)})


def check_goals(sheet: Sheet, report: FaultReport) -> None:
    """A goal in a head is an integer from 0 to 100; a variable goal is not checked here."""
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
    bare = value.strip("\"'`,.%")
    return f"Write {bare}." if bare != value and _is_goal(Constant(bare)) else "Scale the goals to 0..100."


def _is_goal(value: Term) -> bool:
    return isinstance(value, Constant) and re.fullmatch("0*(100|[0-9]{1,2})", value.name) is not None


def check_role_names(sheet: Sheet, report: FaultReport) -> None:
    """The names of roles in `legal`, `does` and `goal` are roles."""
    sentences = [s.head for s in sheet.statements] + [u.sentence for u in sheet.uses]
    strangers = (s for s in sentences if s.atom.relation in _BY_ROLE and _names_stranger(s, sheet))
    for sentence in islice(strangers, MOST_OF_A_KIND):
        role = str(sentence.atom.arguments[0])
        near = get_close_matches(role, map(str, sheet.roles), 1)
        report.warn(
            "unknown-role",
            f"`{sentence.atom.name}` names {role}, which is not a role",
            f"Did you mean {near[0]}?" if near else f"State (role {role}), or name one of the roles.",
            located(role, sentence.source),
        )


def _names_stranger(sentence: Sentence, sheet: Sheet) -> bool:
    role = sentence.atom.arguments[0]
    return bool(sheet.roles) and isinstance(role, Constant) and role not in sheet.roles
