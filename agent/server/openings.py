"""Cache of legal first moves by rules and role, for clocks that end before the rules are loaded.

Every match of a rulesheet begins in the same state, so a legal first move stays legal.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

from agent.protocol.messages import Start

KEPT = 64
"""Maximum number of cached moves (least recently used ones are dropped)."""


class Openings:
    """The first moves known to one agent."""

    def __init__(self) -> None:
        self._moves: OrderedDict[bytes, str] = OrderedDict()

    def note(self, start: Start, move: str) -> None:
        """Store that `move` is legal in the initial state."""
        key = _key(start)
        self._moves[key] = move
        self._moves.move_to_end(key)
        if len(self._moves) > KEPT:
            self._moves.popitem(last=False)

    def find(self, start: Start) -> str | None:
        """Return a known legal first move, if any."""
        return self._moves.get(_key(start))


def _key(start: Start) -> bytes:
    """Hash of rules and role."""
    return hashlib.sha256(f"{start.role}\n{start.rules}".encode(errors="surrogatepass")).digest()
