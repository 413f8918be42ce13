import socket
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from agent.gamemaster.games import find_game
from agent.message_lines import encode
from agent.remote.link import Link
from agent.remote.search_messages import Committed, Found, SearchedMatch, SearchedPosition, decode, read_stored
from reasoner import load
from reasoner.language.parse import ground_term
from search.network.storage import Model, to_bytes
from search.options import SearchOptions
from search.root.remote import RootStats
from search.root.statistics import Proof
from tests.search.network.nets import network_for
from tests.waiting import wait_until

PROOF = Proof((1.0, 0.0), 3)
FOUND = RootStats(7, 9, 5, 2.5, PROOF, {"x": {"a": (5, 2.5, 1.0)}}, {"a": PROOF}, {"x": "a"})
FIRST, SECOND = frozenset({ground_term("(cell 1 b)")}), frozenset({ground_term("(cell 1 x)")})
MOVE = ground_term("(mark 1)")
LOOK = 0.005
"""Seconds between two looks at what another thread does."""


class Bridge:
    """The other end, which a test plays by hand."""

    def __init__(self, path):
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()

    @contextmanager
    def met(self):
        talk, _ = self._server.accept()
        with talk, talk.makefile("rb") as lines:
            yield talk, lines

    def close(self):
        self._server.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "socket"


def link(path):
    return Link(path, "(role x)", 0, SearchOptions(playouts=3), 2.0)


def heard(lines, kind):
    message = decode(lines.readline())
    assert isinstance(message, kind)
    return message


def test_messages_come_out_as_they_went_in():
    for message in (
        SearchedMatch("(role x)", 1, {"seed": 3}, 2.0),
        SearchedPosition(2, ["(cell 1 b)"], ["a", "b"]),
        Committed(2, "a"),
        Found(2, "node", FOUND),
    ):
        assert decode(encode(message)) == message


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"is": "Found"}', '{"is": "Nothing"}', '{"is": "Committed"}'])
def test_what_is_no_message_is_reported(line):
    with pytest.raises(ValueError, match=r"."):
        decode(line)


def test_the_bridge_is_told_the_match_and_each_position_and_what_it_found_arrives(path):
    with closing(Bridge(path)) as bridge, closing(link(path)) as made, bridge.met() as (talk, lines):
        assert heard(lines, SearchedMatch).options["playouts"] == 3
        made.go_to(FIRST, None)
        assert heard(lines, SearchedPosition) == SearchedPosition(1, ["(cell 1 b)"], None)
        talk.sendall(encode(Found(1, "n", FOUND)).encode() + b"\n")
        wait_until(made.found)
        assert made.found() == (FOUND,)
        made.commit(MOVE)
        assert heard(lines, Committed) == Committed(1, "(mark 1)")
        made.go_to(SECOND, (MOVE,))
        assert made.found() == ()
        assert heard(lines, SearchedPosition) == SearchedPosition(2, ["(cell 1 x)"], ["(mark 1)"])


def test_what_was_found_in_an_earlier_position_is_dropped_and_of_each_search_the_last_counts(path):
    with closing(Bridge(path)) as bridge, closing(link(path)) as made, bridge.met() as (talk, _):
        made.go_to(FIRST, None)
        made.go_to(SECOND, (MOVE,))
        newer = replace(FOUND, visits=6)
        told = [Found(1, "late", FOUND), Found(2, "n", FOUND), Found(2, "n", newer), Found(2, "m", FOUND)]
        talk.sendall("".join(encode(each) + "\n" for each in told).encode())
        wait_until(lambda: len(made.found()) == 2)
        assert made.found() == (newer, FOUND)


def test_another_machine_in_the_same_position_keeps_what_was_found(path):
    with closing(Bridge(path)) as bridge, closing(link(path)) as made, bridge.met() as (talk, _):
        made.go_to(FIRST, None)
        talk.sendall(encode(Found(1, "n", FOUND)).encode() + b"\n")
        wait_until(made.found)
        made.go_to(FIRST, None)
        assert made.found() == (FOUND,)


def test_nothing_waits_for_a_bridge_and_a_late_bridge_gets_the_newest_position(path):
    with closing(link(path)) as made:
        made.go_to(FIRST, None)
        made.commit(MOVE)
        made.go_to(SECOND, (MOVE,))
        assert made.found() == ()
        with closing(Bridge(path)) as bridge, bridge.met() as (_, lines):
            heard(lines, SearchedMatch)
            assert heard(lines, SearchedPosition).number == 2


def test_a_bridge_that_ends_takes_along_what_it_found_and_the_next_one_is_told_again(path):
    with closing(Bridge(path)) as bridge, closing(link(path)) as made:
        made.go_to(FIRST, None)
        with bridge.met() as (talk, lines):
            heard(lines, SearchedMatch)
            talk.sendall(encode(Found(1, "n", FOUND)).encode() + b"\n")
            wait_until(made.found)
            talk.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: not made.found())
        with bridge.met() as (_, lines):
            heard(lines, SearchedMatch)
            assert heard(lines, SearchedPosition).number == 1


def test_a_bridge_that_speaks_nonsense_is_left(path):
    with closing(Bridge(path)) as bridge, closing(link(path)):
        with bridge.met() as (talk, lines):
            talk.sendall(b"nonsense\n")
            assert list(lines)[1:] == []
        with bridge.met() as (_, lines):
            heard(lines, SearchedMatch)


def test_a_network_that_is_found_later_begins_the_match_again(path):
    with closing(Bridge(path)) as bridge, closing(link(path)) as made, bridge.met() as (talk, lines):
        assert heard(lines, SearchedMatch).studied == ""
        made.go_to(FIRST, None)
        assert heard(lines, SearchedPosition).number == 1
        talk.sendall(encode(Found(1, "n", FOUND)).encode() + b"\n")
        wait_until(made.found)
        studied = Model(network_for(load(find_game("nim").text, engine="circuit").circuit, [4], 1), 0.5, 1.0)
        made.learn(studied)
        assert made.found() == ()
        told = heard(lines, SearchedMatch)
        assert to_bytes(read_stored(told.studied)) == to_bytes(studied)
        assert heard(lines, SearchedPosition).number == 1
