"""Goal values, and the points that count as 100%.

GDL's goals are integers from 0 to 100. If the rules may give a higher goal, the highest possible goal counts as 100%,
and all others are shares of it. A value that is not a natural number is not a goal.

The possible goals are the numbers in the domain of the second argument of `goal` (`domains`), a superset. The domain is
computed only if the rules contain a number below 0 or above 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.domains import Domain, domains
from reasoner.rules.program import Program, Rule, is_positive

FULL = 100
"""Points that count as 100%, unless the rules may give more."""
MAX_DIGITS = 9
"""Maximum digits of a goal."""


def points_of(text: str) -> int | None:
    """The goal value of a constant; None if it is not one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def worth(goal: float | None, points: int) -> float:
    """Return a goal as a share of `points`, 0..1; a missing goal counts as 0."""
    return 0.0 if goal is None else max(goal, 0.0) / points


def in_percent(goal: int | None, points: int) -> float:
    """Return a goal as a percentage of `points`, 0..100; a missing goal counts as 0."""
    return (goal or 0) if points == FULL else round(100 * worth(goal, points), 2)


def most_points(rules: Sequence[Rule]) -> int:
    """Return the points that count as 100%: 100, or the highest goal above 100 that the rules may give."""
    return max((FULL, *strange_goals(rules)))


def strange_goals(rules: Sequence[Rule]) -> tuple[int, ...]:
    """The integers below 0 and above 100 that may become goals, sorted."""
    if not any(_is_strange(text) for rule in rules for text in _constants(rule)):
        return ()
    goals = domains(Program(tuple(rules), ())).get(("goal", 2), (Domain(), Domain()))[1]
    return tuple(sorted(int(text) for text in goals.constants if _is_strange(text)))


def _is_strange(text: str) -> bool:
    if text.startswith("-"):
        return points_of(text[1:]) is not None
    return (points_of(text) or 0) > FULL


def _constants(rule: Rule) -> Iterator[str]:
    """The constants of a rule, at any depth."""
    waiting: list[Term] = [*rule.head.arguments]
    for condition in rule.body:
        waiting += condition.atom.arguments if is_positive(condition) else ()
    while waiting:
        term = waiting.pop()
        if isinstance(term, Compound):
            waiting += term.arguments
        elif isinstance(term, Constant):
            yield term.name
