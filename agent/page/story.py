"""Story of a match, step by step: who moved, the time, each role's expected score, and the blunders.

A value is the goal, 0..100, that the agent's last search of a position expects for a role; in a terminal position, the
value is the goal itself. Goals above 100 are scaled by the highest goal. In constant-sum games, the value of one role
determines the value of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.page.answers import Story
from agent.page.history import MatchLog, Moment
from reasoner.rules.points import in_percent

BLUNDER = 100 / 3
"""Minimum fall of a role's value by its own move that counts as a blunder."""
MAX_STEPS = 500
"""Maximum steps that are sent while a match runs, counted from the end."""
WAIT = "noop"
"""Usual move of a waiting role. If the legal moves are unknown, a role with another move counts as having a choice."""

Values = tuple[float | None, ...]


def story(log: MatchLog, last: int | None = None) -> Story:
    """Return the story of the `last` steps, or of all steps, as lists by step; ``first`` is the first step."""
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
    """Return the rounded value per role after `index` joint moves; None where unknown."""
    moment = log.moments[index]
    if log.terminal and index == log.turn and log.goals is not None:
        return shares(log.goals, log.points)
    known = dict(moment.values)
    if log.opposed and len(known) == 1:
        ((role, value),) = known.items()
        known[1 - role] = 100 - value
    return tuple(round(known[role]) if role in known else None for role in range(len(log.roles)))


def shares(goals: Sequence[int | None], points: int) -> Values:
    """Scale goals to 0..100, where `points` is the maximum; None where a role has no goal."""
    return tuple(None if goal is None else min(round(in_percent(goal, points)), 100) for goal in goals)


def choosers(log: MatchLog, index: int) -> list[int]:
    """Return the roles that had a choice in joint move number `index`."""
    if not index:
        return []
    choices, joint = log.moments[index - 1].choices, log.moments[index].joint
    if choices:
        return [role for role, count in enumerate(choices) if count > 1]
    return [role for role, move in enumerate(joint) if move != WAIT]


def _blunders(log: MatchLog, index: int, values: Sequence[Values]) -> list[int]:
    """Return the roles whose own move into this position cost them more than a third of the points."""
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
    """Return how long the move into a position took."""
    return round(moments[index].at - moments[index - 1].at, 1) if index else None
