"""Messages between worker and bridge: one JSON object per line; its key ``is`` names the kind of message.

A worker sends the match, then each position and the move that it chose there. The bridge sends results of searches.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search.network.storage import Model, from_bytes, to_bytes
from search.root.remote import Counts, RootStats
from search.root.statistics import Proof

LINE = 16 << 20
"""Maximum bytes of a line."""


@dataclass(frozen=True, slots=True)
class SearchedMatch:
    """The rules, the role, the fields of `SearchOptions`, and the studied network in base 64."""

    rules: str
    role: int
    options: Mapping[str, int | float | bool]
    play_clock: float  # seconds
    studied: str = ""


@dataclass(frozen=True, slots=True)
class SearchedPosition:
    """A position, given by its facts; `joint` is the joint move from the previous position (None: unknown)."""

    number: int
    facts: Sequence[str]
    joint: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Committed:
    """The move that the match chose in the position with this number."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Found:
    """The result of the searcher `who` in the position with this number."""

    number: int
    who: str
    root: RootStats


Told = SearchedMatch | SearchedPosition | Committed | Found
KINDS: dict[str, type[Told]] = {kind.__name__: kind for kind in (SearchedMatch, SearchedPosition, Committed, Found)}


def encode(message: Told) -> str:
    """Format a message as one line, without a line end."""
    return json.dumps({"is": type(message).__name__, **asdict(message)})


def decode(line: str | bytes) -> Told:
    """Parse a line. Raises ValueError if the line is not a valid message."""
    try:
        body = json.loads(line)
        kind = KINDS[body.pop("is")]
        if kind is Found:
            return Found(_number(body["number"]), _text(body["who"]), _root(body["root"]))
        return kind(**body)
    except (AttributeError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(f"invalid message of a remote search: {error!r:.200}") from error


def stored(studied: Model | None) -> str:
    """Encode a studied network as text."""
    return base64.b64encode(to_bytes(studied)).decode() if studied is not None else ""


def read_stored(text: str) -> Model | None:
    """Decode a studied network. Raises ValueError or its subclass StorageError for invalid text."""
    return from_bytes(base64.b64decode(text)) if text else None


def _root(body: Mapping[str, Any]) -> RootStats:
    """Read the statistics of a root. A match adds them to its own statistics, so every number is checked here."""
    proof = body["proof"]
    return RootStats(
        simulations=_number(body["simulations"]),
        playouts=_number(body["playouts"]),
        visits=_number(body["visits"]),
        total=_number(body["total"]),
        proof=None if proof is None else _proof(proof),
        moves={role: {move: _counts(counts) for move, counts in own.items()} for role, own in body["moves"].items()},
        proofs={move: _proof(own) for move, own in body["proofs"].items()},
        winning={role: _text(move) for role, move in body["winning"].items()},
    )


def _counts(own: Sequence[Any]) -> Counts:
    visits, total, best = own
    return _number(visits), _number(total), _number(best)


def _proof(body: Mapping[str, Any]) -> Proof:
    return Proof(tuple(map(_number, body["values"])), _number(body["distance"]))


def _number(value: Any) -> Any:  # noqa: ANN401 an int or a float, as sent
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r:.40} in a message of a remote search is not a finite number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} in a message of a remote search is not a text")
    return value
