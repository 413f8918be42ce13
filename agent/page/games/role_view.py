"""What a role sees of a position, and whether it has a choice."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.worker.worker_messages import Position

UNSEEN = "unseen"
"""Shown in place of a move that a role did not see."""


def forced(legal: Sequence[Sequence[str]], role: int) -> str | None:
    """Return the only move of a role, if it is made by itself: another role has a choice, or the move is one word."""
    moves = legal[role]
    others = any(len(other) > 1 for index, other in enumerate(legal) if index != role)
    return moves[0] if len(moves) == 1 and (others or not moves[0].startswith("(")) else None


def seen_by(position: Position, role: int | None) -> Position:
    """Return what a role knows of a position; with hidden information a watcher (None) knows nothing."""
    if not position.known:
        return position
    joint = [move if one == role else UNSEEN for one, move in enumerate(position.joint)]
    facts = (position.known[role] if role is not None else None) or ()
    return replace(position, joint=joint, facts=facts)
