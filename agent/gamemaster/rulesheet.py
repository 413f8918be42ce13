"""Rulesheet as text, and its decoding from bytes."""

from __future__ import annotations

from dataclasses import dataclass

from agent.gamemaster.errors import SheetError

MAX_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """A game's rules. `url` is the game's entry in a game repository, or empty."""

    name: str
    text: str
    url: str = ""


def decoded(data: bytes, source: str) -> str:
    """Decode a rulesheet. Raises SheetError.

    A byte that is not UTF-8 becomes U+FFFD, which the parser reports: a warning in a comment, else an error.
    """
    if len(data) > MAX_BYTES:
        raise SheetError(f"{source} is larger than {MAX_BYTES >> 20} MiB, the limit for a rulesheet.")
    if b"\0" in data:
        raise SheetError(f"{source} is not text in UTF-8; save it in this encoding.")
    return data.decode("utf-8-sig", "replace")
