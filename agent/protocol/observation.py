"""A PLAY of GDL-II as what is kept of a match: in the place of a joint move, one's own move and one's percepts.

    (PLAY m1 3 (look 2) ((found nothing)))      becomes      ("observed 3", "(look 2)", "(found nothing)")
    (PLAY m1 ((found nothing)))                 becomes      ("observed 3 asked", "(look 2)", "(found nothing)")

In the second form nobody tells which move of ours was made: it is the one that we asked for. No move can be spelled as
the first part is, so that journals, workers and whoever looks on tell the two apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.protocol.messages import ImperfectPlay

_MARK, _ASKED = "observed ", " asked"


@dataclass(frozen=True, slots=True)
class Observed:
    """What one message tells; `move` is None before the first one.

    Where it was only `asked` for, it is not known that it was made.
    """

    turn: int
    move: str | None
    percepts: tuple[str, ...]
    asked: bool = False


def item_of(message: ImperfectPlay) -> tuple[str, ...]:
    """What is kept of a message."""
    return (f"{_MARK}{message.turn}", message.last_move, *message.percepts)


def item_of_percepts(turn: int, move: str | None, percepts: Sequence[str]) -> tuple[str, ...]:
    """The same of a PLAY that brings percepts alone, ``(PLAY m1 ((found nothing)))``; `move` is what we answered."""
    return (f"{_MARK}{turn}{_ASKED}", move or "NIL", *percepts)


def is_observed(item: Sequence[str] | None) -> bool:
    """Whether something kept is of GDL-II, and no joint move."""
    return bool(item) and item is not None and item[0].startswith(_MARK)


def observed(item: Sequence[str]) -> Observed:
    """What was kept of a message. Raises ValueError on a joint move."""
    if not is_observed(item):
        raise ValueError(f"no observation but a joint move: {item!r:.100}")
    turn, move = item[0].removeprefix(_MARK), item[1]
    asked = turn.endswith(_ASKED)
    return Observed(int(turn.removesuffix(_ASKED)), None if move.upper() == "NIL" else move, tuple(item[2:]), asked)
