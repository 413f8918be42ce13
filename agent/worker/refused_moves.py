"""Our moves that a manager replaces again and again: they are probably illegal, because a message was lost."""

from __future__ import annotations

from collections import Counter

from reasoner.language.terms import Term

PATIENCE = 2
"""Number of times that a move is replaced before it counts as refused; once, an answer may have been late."""


class RefusedMoves:
    """Counts for each of our moves how often a manager has replaced it since it was last made."""

    def __init__(self) -> None:
        self._replaced: Counter[str] = Counter()

    def compare(self, answered: str | None, made: str | None) -> None:
        """Compare our answer with our move in the next message; None: unknown."""
        if answered is None or made is None:
            return
        if made.casefold() == answered.casefold():
            del self._replaced[answered]
        else:
            self._replaced[answered] += 1

    def __contains__(self, move: str) -> bool:
        """Whether `move` is refused."""
        return self._replaced[move] >= PATIENCE

    def without(self, legal: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return `legal` without the refused moves; all of `legal` if every one was refused."""
        return tuple(move for move in legal if str(move) not in self) or legal
