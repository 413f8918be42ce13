"""First moves that were legal, by rules and role: answered where a clock ends before the rules have been read again.

Every match of a rulesheet begins in the same state, so that what was legal there once is legal always.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

from agent.protocol.messages import Start

KEPT = 64
"""Rulesheets, each with a role, that are remembered: those played last."""


class Openings:
    """What one agent has played first."""

    def __init__(self) -> None:
        self._moves: OrderedDict[bytes, str] = OrderedDict()

    def note(self, start: Start, move: str) -> None:
        """`move` is legal at the beginning."""
        key = _key(start)
        self._moves[key] = move
        self._moves.move_to_end(key)
        if len(self._moves) > KEPT:
            self._moves.popitem(last=False)

    def find(self, start: Start) -> str | None:
        """A move that is legal at the beginning, where one is known."""
        return self._moves.get(_key(start))


def _key(start: Start) -> bytes:
    """Short, and the same only for the same rules and role."""
    return hashlib.sha256(f"{start.role}\n{start.rules}".encode(errors="surrogatepass")).digest()
