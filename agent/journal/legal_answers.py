"""The last legal answers of a match, and the guess that they suggest if no legal move is known in time."""

from __future__ import annotations

GUESS = "noop"
"""The most common name of a legal move, and of the move of a role whose turn it is not."""


class LegalAnswers:
    """The numbers of the last two PLAYs that were answered with a legal move, and the moves; guesses are left out."""

    def __init__(self) -> None:
        self._last: list[tuple[int, str]] = []

    def note(self, number: int, move: str) -> None:
        """Add the answer to PLAY `number`."""
        self._last = [*self._last[-1:], (number, move)]

    def guess(self, number: int) -> str:
        """Return a guess for PLAY `number`: the last answer, or that of the same parity if the roles alternate."""
        moves = [move for _, move in self._last]
        alike = [move for told, move in self._last if (number - told) % 2 == 0]
        if GUESS in moves and alike:
            return alike[-1]
        return moves[-1] if moves else GUESS
