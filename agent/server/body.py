"""Where the body of a message ends when its head does not say so, or says it wrongly."""

from __future__ import annotations

import re

LOOKED = 1 << 20
"""Bytes of a body without a length that are looked at for its end; a longer one ends with the sender's side."""
_MARK = re.compile(rb"[();\r\n]")
_LATER = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that begin no character."""
_PAIRS = bytes(range(0xF0, 0xF8))
"""The first bytes of those characters that are two of UTF-16."""


class EndOfBody:
    """Notices when as many parentheses close as open, in one pass over a body that comes piece by piece."""

    def __init__(self) -> None:
        self._depth = 0
        self._comment = False
        self._looked = 0
        self.whole = False  # the last parenthesis has closed, and only white space follows

    def feed(self, data: bytes) -> None:
        """The next bytes of the body; nothing is noticed beyond a limit."""
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
        """Take in a mark; whether the body is whole with it."""
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
    """Whether a body looks like a whole message: it ends with a parenthesis, and as many close as open."""
    return body.rstrip().endswith(b")") and body.count(b"(") == body.count(b")")


def bytes_of(characters: int, body: bytes | bytearray) -> int:
    """How many bytes so many characters of UTF-16 take at the beginning of a body in UTF-8, at least.

    ggp-base names the length of its messages in such characters.
    """
    length = min(characters, len(body))
    while length <= len(body) and (missing := characters - _units(body[:length])) > 0:
        length += missing
    return length


def _units(text: bytes | bytearray) -> int:
    begun = text.translate(None, _LATER)
    return len(begun) + len(begun) - len(begun.translate(None, _PAIRS))
