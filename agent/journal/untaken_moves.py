"""The moves of PLAY messages that no process has applied yet; the next process of the match gets them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from agent.protocol.messages import JointOrGap

MAX_MESSAGES, MAX_CHARACTERS = 64, 4 << 20
"""Maximum number of messages, and maximum characters of their moves."""


class _Message(NamedTuple):
    items: list[JointOrGap]  # the joint move or percepts; after a gap, if messages before may have been missed
    own: str | None  # our answer to the PLAY before; percepts do not tell it
    repeated: bool  # whether the message before had the same moves
    size: int


class UntakenMoves:
    """These moves by number of the message, in order."""

    def __init__(self) -> None:
        self._messages: dict[int, _Message] = {}

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self._messages)

    @property
    def items(self) -> list[JointOrGap]:
        """The joint moves or percepts, and the gaps between them."""
        return [*chain.from_iterable(message.items for message in self._messages.values())]

    @property
    def told(self) -> tuple[int, list[str | None], list[bool]]:
        """Return the number of the last message or 0, and for each of `items` our answer before it and `repeated`."""
        messages = [message for message in self._messages.values() for _ in message.items]
        last = max(self._messages, default=0)
        return last, [message.own for message in messages], [message.repeated for message in messages]

    def keep(
        self, number: int, moves: Sequence[str], own: str | None, *, gap: bool = False, repeated: bool = False
    ) -> bool:
        """Store the moves of message `number`; return whether old ones had to be dropped. A gap takes their place."""
        items: list[JointOrGap] = [None, list(moves)] if gap else [list(moves)]
        self._messages[number] = _Message(items, own, repeated, sum(map(len, moves)))
        missed = False
        while len(self._messages) > MAX_MESSAGES or sum(each.size for each in self._messages.values()) > MAX_CHARACTERS:
            del self._messages[next(iter(self._messages))]
            missed = True
        if missed and self._messages:
            oldest = next(iter(self._messages))
            items = [None, self._messages[oldest].items[-1]]
            self._messages[oldest] = self._messages[oldest]._replace(items=items)
        return missed

    def before(self, number: int) -> list[JointOrGap]:
        """Return the moves of the messages before message `number`, without gaps."""
        return [message.items[-1] for each, message in self._messages.items() if each < number]

    def drop(self, number: int) -> None:
        """Forget the messages up to `number`: they are applied."""
        self._messages = {each: message for each, message in self._messages.items() if each > number}
