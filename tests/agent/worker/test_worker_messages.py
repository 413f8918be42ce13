"""What passes between the agent's process and a worker's comes out as it went in, and nothing else does."""

from dataclasses import fields
from typing import get_args

import pytest

from agent.protocol.messages import Start
from agent.worker.worker_messages import Begin, Command, Event, Refused, decode_command, decode_event, encode

ODD = b'{"is": "Thought", "step": 1, "figures": [1]}'
TOLD = {"figures": {"engine": "\ud800", "playouts": 7}}


def test_every_kind_arrives_as_it_was_sent():
    """Also text that no encoding has: half of a pair of UTF-16, as a sender may write it."""
    for kinds, decode in ((Command, decode_command), (Event, decode_event)):
        for kind in get_args(kinds):
            if kind is not Begin:
                message = kind(*(TOLD.get(field.name, f"\ud800 {field.name}") for field in fields(kind)))
                assert decode(encode(message)) == message
    begin = Begin(Start("m", "\ud800", "(role a)", 1.0, 2.5, 3, 4), 5.0, [["x"], None], None)
    told = decode_command(encode(begin))
    assert told == begin
    assert (told.start.rules_line, told.start.rules_column) == (3, 4)


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
