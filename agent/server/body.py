"""Detection of the end of a body whose Content-Length is missing or wrong."""

from __future__ import annotations

import re

LOOKED = 1 << 20
"""Bytes of a body without a length that are scanned for its end; a longer body ends when the sender closes."""
_MARK = re.compile(rb"[();\r\n]")
_LATER = bytes(range(0x80, 0xC0))
"""UTF-8 continuation bytes."""
_PAIRS = bytes(range(0xF0, 0xF8))
"""First UTF-8 bytes of characters that need two UTF-16 units."""


class EndOfBody:
    """Incremental scanner that detects when all parentheses of a body are closed."""

    def __init__(self) -> None:
        self._depth = 0
        self._comment = False
        self._looked = 0
        self.whole = False  # all parentheses are closed, and only white space follows

    def feed(self, data: bytes) -> None:
        """Scan the next bytes of the body; after more than LOOKED bytes, no end is detected."""
        self._looked += len(data)
        if self._looked > LOOKED:
            self.whole = False
            return
        after = 0
        for mark in _MARK.finditer(data):
            if self._mark(mark[0]):
                after = mark.end()
        if data[after:].strip():
            self.whole = False

    def _mark(self, mark: bytes) -> bool:
        """Process a mark; return whether it completes the body."""
        if self._comment or mark in b"\r\n":
            self._comment = self._comment and mark not in b"\r\n"
            return False
        if mark == b";":
            self._comment = True
            return False
        self._depth += 1 if mark == b"(" else -1
        self.whole = self._depth <= 0
        return self.whole


def balanced(body: bytes | bytearray) -> bool:
    """Whether a body looks complete: it ends with a parenthesis, and the parentheses are balanced."""
    return body.rstrip().endswith(b")") and body.count(b"(") == body.count(b")")


def bytes_of(characters: int, body: bytes | bytearray) -> int:
    """Return the minimum number of UTF-8 bytes for the first `characters` UTF-16 units of a body.

    ggp-base gives the Content-Length of its messages in UTF-16 units.
    """
    length = min(characters, len(body))
    while length <= len(body) and (missing := characters - _units(body[:length])) > 0:
        length += missing
    return length


def _units(text: bytes | bytearray) -> int:
    begun = text.translate(None, _LATER)
    return len(begun) + len(begun) - len(begun.translate(None, _PAIRS))
