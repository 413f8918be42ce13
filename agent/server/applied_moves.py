"""The joint moves of a match that a worker has applied; a new worker process gets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import structlog

from agent.journal.replayed_match import known
from agent.journal.untaken_moves import UntakenMoves
from agent.protocol.messages import JointOrGap, Start
from agent.worker.worker_messages import Begin

MAX_CHARACTERS = 64 << 20
"""Maximum characters of the different moves, and of ITEM for each joint move. The journal is full before that."""
ITEM = 100
LAST = 16
"""Number of joint moves that `shorten` leaves."""


class AppliedMoves:
    """Joint moves, and gaps for missed ones, in order. Equal moves share their memory."""

    def __init__(self, items: Iterable[JointOrGap] = (), reached: int = 0, position: Sequence[str] = ()) -> None:
        self._items: list[JointOrGap] = []
        self._moves: dict[str, str] = {}
        self._characters = 0
        self._forgotten = 0  # number of joint moves that `shorten` removed
        self._reached, self._position = 0, position  # the facts after the first items; 0: they are not known
        self.put(0, list(items))
        self._reached = reached

    def __iter__(self) -> Iterator[JointOrGap]:
        """Iterate over joint moves and gaps."""
        return iter(self._items)

    @property
    def turn(self) -> int:
        """The number of known joint moves."""
        return self._forgotten + known(self._items)

    def begin(self, start: Start, deadline: float, answered: str | None, untaken: UntakenMoves) -> Begin:
        """Return the command to begin a match after these moves, and after those that no worker has applied."""
        moves = [*self._items, *untaken.items]
        return Begin(start, deadline, moves, answered, *untaken.told, self._reached, self._position)

    def lacks(self, keep: int) -> bool:
        """Whether there are fewer than `keep` items: an earlier event of this sender was not heard."""
        return keep > len(self._items)

    def put(self, keep: int, added: Sequence[JointOrGap], position: Sequence[str] | None = None) -> bool:
        """Replace all after the first `keep` items by `added`; return whether that is a change.

        `position` are the facts after them, if known. Without facts, they and those known before are uncertain.
        """
        first, before = self._items[keep : self._reached], self._items[keep:]
        self._items[keep:] = map(self._shared, added)
        if position is not None:
            self._reached, self._position = len(self._items) if position else 0, position
        elif self._items[keep : self._reached] != first:
            self._reached, self._position = 0, ()
        return self._items[keep:] != before

    def shorten(self, log: structlog.stdlib.BoundLogger) -> bool:
        """If there are too many characters, put a gap in the place of all but the last items; return whether."""
        if self._characters <= MAX_CHARACTERS:
            return False
        log.error("the match is too long to be kept; its worker is stopped", turn=self.turn)
        items, self._items, self._moves, self._characters = self._items, [], {}, 0
        self._forgotten += known(items[:-LAST])
        self.put(0, [None, *items[-LAST:]])
        return True

    def _shared(self, item: JointOrGap) -> JointOrGap:
        self._characters += ITEM
        if item is None:
            return None
        self._characters += sum(len(move) for move in item if move not in self._moves)
        return [self._moves.setdefault(move, move) for move in item]
