"""The turn numbers in the messages of a GDL-II match: repeated messages, and lost ones."""

from __future__ import annotations

from agent.protocol.messages import Moves
from agent.protocol.observation import is_observed, missed_turns, observed


class TurnNumbers:
    """The turn number of the last message, which may have the `moves` given; None if there was no number."""

    def __init__(self, moves: Moves = None) -> None:
        self._last = None if moves is None or not is_observed(moves) else observed(moves).turn

    def is_old(self, moves: Moves) -> bool:
        """Whether a message has a turn number that was already received, so that it is a repetition."""
        if moves is None or self._last is None or not is_observed(moves):
            return False
        return observed(moves).turn <= self._last

    def gap_before(self, moves: Moves, *, maybe: bool) -> bool:
        """Take in the moves of a message; return whether messages before it were lost.

        `maybe`: they may have been; without a turn number, this is the result.
        """
        if moves is None or not is_observed(moves):
            return maybe and moves is not None
        told = observed(moves)
        missed, self._last = missed_turns(self._last or 0, told.turn)
        return missed > 0 and told.move is not None
