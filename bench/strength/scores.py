"""Result of a match as one number: the success of one side against the others."""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.rules.chance import is_chance

WIN, TIE, LOSS = 100.0, 50.0, 0.0


def seats_of(roles: Sequence[str]) -> tuple[int, ...]:
    """Return the roles that have players, as indices; the manager plays chance."""
    return tuple(index for index, role in enumerate(roles) if not is_chance(role))


def seat_in(roles: Sequence[str], number: int) -> int:
    """Return the role of the measured side in match `number` (from 0). The side takes each role in turn."""
    seats = seats_of(roles)
    return seats[number % len(seats)]


def result_of(roles: Sequence[str], goals: Sequence[int | None], seat: int) -> float:
    """Return the percentage of the other players with a lower goal than `seat`, 0..100; ties count half.

    Between equal players, the mean is 50 for any number of players and any goals. The mean goal does not have this
    property.
    """
    own = goals[seat] or 0
    others = [goals[other] or 0 for other in seats_of(roles) if other != seat]
    return sum(WIN if own > goal else TIE if own == goal else LOSS for goal in others) / len(others)
