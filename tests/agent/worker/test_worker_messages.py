"""What passes between the agent's process and a worker's comes out as it went in, and nothing else does."""

from collections.abc import Mapping
from types import NoneType
from typing import get_args, get_origin, get_type_hints

import pytest

from agent.protocol.messages import Start
from agent.worker.worker_messages import Choose, Command, Event, Refused, decode_command, decode_event, encode

ODD = b'{"is": "Thought", "step": 1, "figures": [1]}'
VALUES = {str: "\ud800", int: 7, float: 2.5, bool: True}


def value(kind):
    """A value of a type."""
    if kind in VALUES or kind is NoneType:
        return VALUES.get(kind)
    if kind is Start:
        return Start("m", "\ud800", "(role a)", 1.0, 2.5, 3, 4)
    if get_origin(kind) is Mapping:
        return {"engine": "\ud800", "playouts": 7}
    if get_origin(kind) is tuple:
        return tuple(map(value, get_args(kind)))
    values = [value(one) for one in get_args(kind)]
    return values if len(values) == 1 else values[0]  # a sequence, or the first type of a union


def test_every_kind_arrives_as_it_was_sent():
    """Also text that no encoding has: half of a pair of UTF-16, as a sender may write it."""
    for kinds, decode in ((Command, decode_command), (Event, decode_event)):
        for kind in get_args(kinds):
            message = kind(**{name: value(hint) for name, hint in get_type_hints(kind).items() if name[0] != "_"})
            told = decode(encode(message))
            assert told == message
            if isinstance(getattr(told, "start", None), Start):
                assert (told.start.rules_line, told.start.rules_column) == (3, 4)


def test_a_field_of_the_wrong_type_is_named():
    line = encode(Choose(1, 2.0, True, ["a"], False))
    for good, bad in ((b"2.0", b'"soon"'), (b"2.0", b"NaN"), (b'["a"]', b"[1]"), (b"true", b"1")):
        assert decode_command(line)
        with pytest.raises(ValueError, match=r"`\$\.(deadline|apply|joint)|finite"):
            decode_command(line.replace(good, bad))


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"{}", b'{"is": "Start"}', b'{"is": "Refused", "odd": 1}', ODD, b"\xff"]
)
def test_what_is_no_message_is_an_error_and_nothing_is_made_of_it(line):
    for decode in (decode_command, decode_event):
        with pytest.raises(ValueError):  # noqa: PT011 whatever it says
            decode(line)


def test_a_command_is_no_event():
    with pytest.raises(ValueError, match="Refused"):
        decode_command(encode(Refused("no")))
