"""The story of a match: step by step who moved, how long it took, what each role could expect, and the blunders.

A value is the goal, 0..100, that the agent expected for a role when it last thought in a position; after the end, the
goal itself. Goals above 100 are told as shares of the highest. Where two roles are opposed, the value of one tells that
of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.page.history import MatchLog, Moment
from reasoner.rules.points import in_percent

BLUNDER = 100 / 3
"""Points by which a role's value falls with a blunder of its own, at least."""
MAX_STEPS = 500
"""Steps that are told while a match goes on, the last ones."""
WAIT = "noop"
"""The move of a role that only waits, in most rulesheets: by it is guessed who had a choice where that is not known."""

Values = tuple[float | None, ...]


def story(log: MatchLog, last: int | None = None) -> dict[str, Any]:
    """The match as lists by step, from step ``first`` on; of the `last` steps, or of all."""
    moments = log.moments
    first = 0 if last is None else max(0, len(moments) - last)
    values = [values_at(log, index) for index in range(first, len(moments))]
    return {
        "first": first,
        "values": values,
        "joints": [moment.joint for moment in moments[first:]],
        "seconds": [_seconds(moments, index) for index in range(first, len(moments))],
        "choosers": [choosers(log, index) for index in range(first, len(moments))],
        "blunders": [_blunders(log, first + index, values) for index in range(len(values))],
    }


def values_at(log: MatchLog, index: int) -> Values:
    """Per role the value of the position after `index` joint moves, rounded; None where it is not known."""
    moment = log.moments[index]
    if log.terminal and index == len(log.moments) - 1 and log.goals is not None:
        return shares(log.goals, log.points)
    known = dict(moment.values)
    if log.opposed and len(known) == 1:
        ((role, value),) = known.items()
        known[1 - role] = 100 - value
    return tuple(round(known[role]) if role in known else None for role in range(len(log.roles)))


def shares(goals: Sequence[int | None], points: int) -> Values:
    """Goals as 0..100, where so many points are the whole; None where the rules give none."""
    return tuple(None if goal is None else min(round(in_percent(goal, points)), 100) for goal in goals)


def choosers(log: MatchLog, index: int) -> list[int]:
    """The roles that had a choice in the position before the one after `index` joint moves."""
    if not index:
        return []
    choices, joint = log.moments[index - 1].choices, log.moments[index].joint
    if choices:
        return [role for role, count in enumerate(choices) if count > 1]
    return [role for role, move in enumerate(joint) if move != WAIT]


def _blunders(log: MatchLog, index: int, values: Sequence[Values]) -> list[int]:
    """The roles whose own move into this position cost them more than a third."""
    at = index - (len(log.moments) - len(values))
    if at < 1:
        return []
    before, after = values[at - 1], values[at]
    return [role for role in choosers(log, index) if _fall(before, after, role) > BLUNDER]


def _fall(before: Values, after: Values, role: int) -> float:
    if role >= len(before) or role >= len(after):
        return 0.0
    high, low = before[role], after[role]
    return 0.0 if high is None or low is None else high - low


def _seconds(moments: Sequence[Moment], index: int) -> float | None:
    """How long the move into a position took."""
    return round(moments[index].at - moments[index - 1].at, 1) if index else None
