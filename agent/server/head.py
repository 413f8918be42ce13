"""Minimal parser of request heads: the end of the head and the framing of the body."""

from __future__ import annotations

import re
from dataclasses import dataclass

LIMIT = 64 << 10
"""Maximum bytes of a head that are scanned; aiohttp refuses longer heads."""
_FRAMED = re.compile(rb"\r\n(content-length|transfer-encoding|expect)[ \t]*:", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_HOST = re.compile(rb"\r\nhost[ \t]*:", re.IGNORECASE)
_POST = re.compile(rb"POST [^\r\n]* HTTP/1\.([01])\r\n")


@dataclass(frozen=True, slots=True)
class Head:
    """A parsed head. `start` is the offset of the body."""

    start: int
    hosted: bool  # has a Host header
    open_ended: bool  # POST without a framing header; the standard says: no body, but old clients send one
    old: bool  # HTTP/1.0
    length: int | None  # Content-Length, if it is the only framing header
    bare: bool = False  # not POST, and no framing header: no body is expected
    named: tuple[int, int] = (0, 0)  # start and end offset of the digits in Content-Length

    @classmethod
    def of(cls, held: bytearray, end: int) -> Head:
        """Parse the head of a request whose empty line begins at `end`."""
        named = _LENGTH.search(held, 0, end + 2)
        framed = len(_FRAMED.findall(held, 0, end + 2))
        post = _POST.match(held)
        return cls(
            start=end + 4,
            hosted=_HOST.search(held, 0, end + 2) is not None,
            open_ended=post is not None and framed == 0,
            old=post is not None and post[1] == b"0",
            bare=post is None and framed == 0,
            length=int(named[1]) if named and framed == 1 and post else None,
            named=named.span(1) if named else (0, 0),
        )


def end_of_head(held: bytearray, looked: int) -> int:
    """Return the offset of the empty line after the head, or -1; bare line feeds are replaced by CR LF.

    Empty lines before a complete head are removed (RFC 9112, section 2.2). The first `looked` bytes are scanned.
    """
    first = len(held) - len(held.lstrip(b"\r\n"))
    bare = held.find(b"\n\n", max(looked - 1, first), LIMIT)
    if bare >= 0 and b"\r" not in held[first:bare]:
        held[first : bare + 2] = held[first : bare + 2].replace(b"\n", b"\r\n")
        looked = 0
    end = held.find(b"\r\n\r\n", max(looked - 3, first))
    if end >= 0:
        del held[:first]
    return end - first if end >= 0 else -1
