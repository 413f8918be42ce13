"""The head of a request, as far as it must be known before aiohttp reads it: where it ends, and how its body does."""

from __future__ import annotations

import re
from dataclasses import dataclass

LIMIT = 64 << 10
"""Bytes of a request's head that are looked at; aiohttp refuses a longer one itself."""
_FRAMED = re.compile(rb"\r\n(content-length|transfer-encoding|expect)[ \t]*:", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_HOST = re.compile(rb"\r\nhost[ \t]*:", re.IGNORECASE)
_POST = re.compile(rb"POST [^\r\n]* HTTP/1\.([01])\r\n")


@dataclass(frozen=True, slots=True)
class Head:
    """What a head says. `start` is where the body begins."""

    start: int
    hosted: bool  # it names a host
    open_ended: bool  # a body in HTTP/1.0 that has no length; in HTTP/1.1 that means no body, unless one comes
    old: bool  # HTTP/1.0
    length: int | None  # of the body, where that is all that is said of it
    bare: bool = False  # nothing is said of a body, and none is expected
    named: tuple[int, int] = (0, 0)  # where the digits of the length stand

    @classmethod
    def of(cls, held: bytearray, end: int) -> Head:
        """The head of a request whose empty line begins at `end`."""
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
    """Where the empty line after the head begins, or -1; lines that end with a line feed alone are mended.

    The first `looked` bytes have been looked at before.
    """
    bare = held.find(b"\n\n", max(looked - 1, 0), LIMIT)
    if bare >= 0 and b"\r" not in held[:bare]:
        held[: bare + 2] = held[: bare + 2].replace(b"\n", b"\r\n")
        looked = 0
    return held.find(b"\r\n\r\n", max(looked - 3, 0))
