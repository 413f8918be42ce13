"""Stored form of a GDL-II PLAY: our own move and our percepts, in place of a joint move.

    (PLAY m1 3 (look 2) ((found nothing)))      becomes      ("observed 3", "(look 2)", "(found nothing)")
    (PLAY m1 ((found nothing)))                 becomes      ("observed 3 asked", "(look 2)", "(found nothing)")

The second message does not name our move, so the move that we answered is assumed (``asked``). A message that was lost,
as the next turn number shows, is stored with our answer before it: ("observed 4 missed", "(look 2)"). No move can be
spelled like the first part, so an observation and a joint move cannot be confused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.protocol.messages import ImperfectPlay

_MARK, _ASKED, _MISSED = "observed ", " asked", " missed"

MOST_MISSED = 8
"""Maximum turns that count as missed; a larger jump means that the manager numbers turns in another way."""


@dataclass(frozen=True, slots=True)
class Observed:
    """The observation of one message; `move` is None before the first move.

    `asked`: the move is our answer, which the message does not confirm. `missed`: there was no message.
    """

    turn: int
    move: str | None
    percepts: tuple[str, ...]
    asked: bool = False
    missed: bool = False


def item_of(message: ImperfectPlay) -> tuple[str, ...]:
    """Return the stored form of a message."""
    return (f"{_MARK}{message.turn}", message.last_move, *message.percepts)


def item_of_percepts(turn: int, move: str | None, percepts: Sequence[str]) -> tuple[str, ...]:
    """Return the stored form of a PLAY with percepts only, ``(PLAY m1 ((found nothing)))``; `move` is our answer."""
    return (f"{_MARK}{turn}{_ASKED}", move or "NIL", *percepts)


def item_of_missed(turn: int, answered: str) -> tuple[str, ...]:
    """Return the stored form of a message that was lost; `answered` is our answer before it."""
    return (f"{_MARK}{turn}{_MISSED}", answered)


def is_observed(item: Sequence[str] | None) -> bool:
    """Whether a stored item is an observation and not a joint move."""
    return bool(item) and item is not None and item[0].startswith(_MARK)


def observed(item: Sequence[str]) -> Observed:
    """Parse the stored form. Raises ValueError for a joint move."""
    if not is_observed(item):
        raise ValueError(f"a joint move, not an observation: {item!r:.100}")
    turn, move = item[0].removeprefix(_MARK), item[1]
    asked, missed = turn.endswith(_ASKED), turn.endswith(_MISSED)
    number = int(turn.removesuffix(_ASKED).removesuffix(_MISSED))
    return Observed(number, None if move.upper() == "NIL" else move, tuple(item[2:]), asked, missed)


def missed_turns(before: int, turn: int) -> tuple[int, int]:
    """Return how many turns were missed between turn number `before` and a message of `turn`, and its turn number.

    This is the next number, and not `turn`, if the jump is too large.
    """
    missed = turn - 1 - before
    return (max(missed, 0), turn) if missed <= MOST_MISSED else (0, before + 1)
