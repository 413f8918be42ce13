"""The order of the messages of a match, by turn numbers or by the last moves: repeated messages, and lost ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from agent.protocol.messages import Moves
from agent.protocol.observation import is_observed, missed_turns, observed

RECENT = 4
"""Number of last messages. Copies of them may still arrive, from a connection that was slow or retried."""
FIRST = 1
"""Number of the first turn that has a move."""


class MessageOrder:
    """The messages received so far: the last one with `moves`, the ones before it with those of `before`.

    `resumed`: messages after it may have been missed.
    """

    def __init__(self, moves: Moves = None, before: Sequence[Moves] = (), *, resumed: bool = False) -> None:
        self._maybe_missed = resumed
        self._turn = None if moves is None or not is_observed(moves) else observed(moves).turn
        self._recent: deque[Moves] = deque([*before, moves] if before or moves is not None else [], RECENT)

    def is_old(self, moves: Moves) -> bool:
        """Whether a message has a turn number that was already received, so that it is a repetition."""
        if moves is None or self._turn is None or not is_observed(moves):
            return False
        return observed(moves).turn <= self._turn

    def is_first_again(self, moves: Sequence[str]) -> bool:
        """Whether an observation has the number of the first turn, long after it, so that it is no late copy."""
        return self._turn is not None and observed(moves).turn <= FIRST < self._turn - RECENT

    def is_late(self, moves: Moves) -> bool:
        """Whether a message has the moves of a recent one before the last.

        While the sender of the last one waits for the answer, it is no new turn.
        """
        return moves in list(self._recent)[:-1] and moves != self._recent[-1]

    def came_again(self, moves: Moves) -> None:
        """Take in a repetition; if it is of the last message, none was missed after that one."""
        self._maybe_missed &= moves != (self._recent[-1] if self._recent else None)

    def gap_before(self, moves: Moves) -> bool:
        """Take in the moves of a message; return whether messages before it were lost, or may have been."""
        maybe, self._maybe_missed = self._maybe_missed, False
        self._recent.append(moves)
        if moves is None or not is_observed(moves):
            return maybe and moves is not None
        told = observed(moves)
        missed, self._turn = missed_turns(self._turn or 0, told.turn)
        return missed > 0 and told.move is not None
