"""A restarted match, beside the match before it with the same id, until it takes its place."""

from __future__ import annotations

from dataclasses import dataclass

from agent.protocol.messages import Moves
from agent.protocol.observation import is_observed, observed
from agent.server.match import Match
from agent.server.watch import HeldWatcher


@dataclass(eq=False, slots=True)
class Successor:
    """A match that another START of the same id has begun."""

    match: Match
    watcher: HeldWatcher
    manager: str | None
    same: bool
    """Whether its START is identical: then it may be a late copy, and only the next PLAY shows whether it is one."""

    def begins(self, moves: Moves, before: Match) -> bool:
        """Whether PLAY with these moves is its first one, and not the next one of the match before."""
        if moves is not None and is_observed(moves):
            return observed(moves).move is None or before.order.is_first_again(moves)
        return moves is None or (not moves and not before.hides)
