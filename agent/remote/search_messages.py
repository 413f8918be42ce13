"""Messages between worker and bridge: one JSON object per line; its key ``is`` names the kind of message.

A worker sends the match, then each position and the move that it chose there. The bridge sends results of searches.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from agent import message_lines
from agent.message_lines import Message
from search.network.archive import MAX_BYTES
from search.network.storage import Model, from_bytes, to_bytes
from search.root.remote import RootStats

LINE = 2 * MAX_BYTES
"""Maximum bytes of a line: more than the largest studied network in base 64, and the rules."""


class SearchedMatch(Message, frozen=True):
    """The rules, the role, the fields of `SearchOptions`, and the studied network in base 64."""

    rules: str
    role: int
    options: Mapping[str, int | float | bool]
    play_clock: float  # seconds
    studied: str = ""


class SearchedPosition(Message, frozen=True):
    """A position, given by its facts; `joint` is the joint move from the previous position (None: unknown)."""

    number: int
    facts: Sequence[str]
    joint: Sequence[str] | None


class Committed(Message, frozen=True):
    """The move that the match chose in the position with this number."""

    number: int
    move: str


class Found(Message, frozen=True):
    """The result of the searcher `who` in the position with this number."""

    number: int
    who: str
    root: RootStats


Told = SearchedMatch | SearchedPosition | Committed | Found


def decode(line: str | bytes) -> Told:
    """Parse a line. Raises ValueError if the line is not a valid message."""
    told: Told = message_lines.decode(line, Told)
    return told


def stored(studied: Model | None) -> str:
    """Encode a studied network as text."""
    return base64.b64encode(to_bytes(studied)).decode() if studied is not None else ""


def read_stored(text: str) -> Model | None:
    """Decode a studied network. Raises ValueError or its subclass StorageError for invalid text."""
    return from_bytes(base64.b64decode(text)) if text else None
