"""Messages between processes as lines: one JSON object each, whose key ``is`` names the kind of message.

msgspec checks the fields and their types. The standard library reads and writes the JSON, because texts may contain
half of a surrogate pair, which msgspec refuses.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True, tag=True, tag_field="is", forbid_unknown_fields=True):
    """The base class of all kinds of messages."""


def finite_json(line: str | bytes) -> Any:  # noqa: ANN401 a JSON value
    """Parse JSON. Raises ValueError, also for a number that is not finite."""
    return json.loads(line, parse_constant=_finite, parse_float=_finite)


def encode(message: Message, convert: Callable[[Any], object] | None = None) -> str:
    """Format a message as one line, without a line end; `convert` converts values that JSON cannot express."""
    return json.dumps(msgspec.to_builtins(message, enc_hook=convert), skipkeys=True, allow_nan=False)


def decode(line: str | bytes, kinds: Any, parse: Callable[[str | bytes], Any] = finite_json) -> Any:  # noqa: ANN401 types
    """Read a line as one of the union `kinds`. Raises ValueError, which names the field that does not fit."""
    try:
        return msgspec.convert(parse(line), kinds)
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"invalid message of another process: {error!s:.200}") from error


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text:.40} is not a finite number")
    return value
