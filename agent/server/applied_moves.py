"""The joint moves of a match that a worker has applied; a new worker process gets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import structlog

from agent.journal.replayed_match import known
from agent.protocol.messages import JointOrGap

MAX_CHARACTERS = 64 << 20
"""Maximum characters of the different moves, and of ITEM for each joint move. The journal is full before that."""
ITEM = 100
LAST = 16
"""Number of joint moves that `shorten` leaves."""


class AppliedMoves:
    """Joint moves, and gaps for missed ones, in order. Equal moves share their memory."""

    def __init__(self, items: Iterable[JointOrGap] = ()) -> None:
        self._items: list[JointOrGap] = []
        self._moves: dict[str, str] = {}
        self._characters = 0
        self._forgotten = 0  # number of joint moves that `shorten` removed
        self.put(0, list(items))

    def __iter__(self) -> Iterator[JointOrGap]:
        """Iterate over joint moves and gaps."""
        return iter(self._items)

    @property
    def turn(self) -> int:
        """The number of known joint moves."""
        return self._forgotten + known(self._items)

    def lacks(self, keep: int) -> bool:
        """Whether there are fewer than `keep` items: an earlier event of this sender was not heard."""
        return keep > len(self._items)

    def put(self, keep: int, added: Sequence[JointOrGap]) -> bool:
        """Replace all after the first `keep` items by `added`; return whether that is a change."""
        before = self._items[keep:]
        self._items[keep:] = map(self._shared, added)
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
