"""Messages of a remote search are read strictly: a match adds their numbers to its own."""

import base64
import json

import pytest

from agent.message_lines import encode
from agent.remote.search_messages import LINE, Found, decode
from reasoner.language.limits import ReadLimits
from search.network.archive import MAX_BYTES
from search.root.remote import RootStats
from search.root.statistics import Proof

ROOT = RootStats(
    7, 9, 5, 2.5, Proof((1.0, 0.0), 3), {"x": {"a": (5, 2.5, 1.0)}}, {"a": Proof((1.0, 0.0), 1)}, {"x": "a"}
)
GOOD = json.loads(encode(Found(1, "node", ROOT)))


@pytest.mark.parametrize("line", ["", "[]", "1", "null", '"x"', "{}", '{"is": []}', "[" * 100_000, b"\xff\xfe{"])
def test_a_line_that_is_no_object_of_a_known_kind_is_a_value_error(line):
    with pytest.raises(ValueError, match=r"."):
        decode(line)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("visits", "many"),
        ("visits", True),
        ("total", float("nan")),
        ("moves", []),
        ("moves", {"x": {"a": [1, 2]}}),
        ("moves", {"x": {"a": [1, 2, None]}}),
        ("proof", {"values": 5, "distance": 1}),
        ("proof", {"values": ["1"], "distance": 1}),
        ("winning", {"x": ["a"]}),
    ],
)
def test_a_result_with_a_value_of_the_wrong_kind_is_a_value_error(field, value):
    """The search thread of the match would fail on it later, or believe it."""
    decode(json.dumps(GOOD))
    with pytest.raises(ValueError, match=r"`\$\.root|not a finite number"):
        decode(json.dumps({**GOOD, "root": {**GOOD["root"], field: value}}))


def test_the_sender_of_a_result_is_a_text():
    """Results are stored by sender."""
    with pytest.raises(ValueError, match=r"`\$\.who`"):
        decode(json.dumps({**GOOD, "who": ["node"]}))


def test_a_line_has_room_for_the_largest_studied_network():
    """The bridge drops a connection with a longer line, and then no node helps in the match."""
    limits = ReadLimits().max_characters
    assert len(base64.b64encode(bytes(3))) * (MAX_BYTES // 3 + 1) + 6 * limits < LINE
