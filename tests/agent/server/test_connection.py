import asyncio

import pytest

from agent.server.connection import Connection
from agent.server.head import LIMIT
from agent.server.question import Deadlines, Question
from agent.settings import load_settings
from tests.clocks import FakeClock

CLOCK = load_settings(environment={}).clock


class Inner(asyncio.Protocol):
    def __init__(self):
        self.data = b""

    def data_received(self, data):
        self.data += data


def connection(limit=1000):
    inner = Inner()
    return Connection(inner, FakeClock(1.0, 0.0), limit), inner


def test_a_request_arrives_with_its_first_byte():
    made, inner = connection()
    assert made.arrival is None
    for piece in (b"POST / HTT", b"P/1.0\r\nContent-Length: 6\r\n\r\n(IN", b"FO)"):
        made.data_received(piece)
    assert made.arrival == 1.0
    assert inner.data == b"POST / HTTP/1.0\r\nContent-Length: 6\r\nHost: -\r\n\r\n(INFO)"


def test_a_request_with_a_host_is_passed_on_as_it_is():
    made, inner = connection()
    request = b"GET / HTTP/1.1\r\nAccept: */*\r\nhost: x\r\n\r\n"
    made.data_received(request)
    assert inner.data == request


@pytest.mark.parametrize("pieces", [[b"\r\n"], [b"\n\r\n", b"\r", b"\n"], [b"\n"] * 3])
def test_empty_lines_before_a_request_are_left_out(pieces):
    """RFC 9112, section 2.2: clients of old end a body with an empty line that belongs to no request."""
    made, inner = connection()
    for piece in pieces:
        made.data_received(piece)
    made.data_received(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
    assert inner.data == b"POST / HTTP/1.0\r\nContent-Length: 6\r\nHost: -\r\n\r\n(INFO)"


def test_endless_empty_lines_are_no_head():
    made, inner = connection()
    made.data_received(b"\r\n" * LIMIT)
    assert inner.data == b"\r\n" * LIMIT  # aiohttp refuses it


def test_a_body_without_length_is_passed_on_with_one_when_it_ends():
    made, inner = connection()
    made.data_received(b"POST / HTTP/1.0\r\nSender: x\r\n\r\nIN")
    made.data_received(b"FO")
    assert inner.data == b""
    assert made.eof_received()
    assert inner.data == b"POST / HTTP/1.0\r\nSender: x\r\nContent-Length: 4\r\nHost: -\r\n\r\nINFO"


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_body_without_length_is_passed_on_with_its_length_at_the_last_parenthesis(version):
    made, inner = connection()
    made.data_received(b"POST / HTTP/%b\r\nHost: x\r\n\r\n(PLAY m" % version)
    made.data_received(b" (noop (take 1))")
    assert inner.data == b""
    made.data_received(b" ) \r\n")
    assert inner.data.endswith(b"Host: x\r\nContent-Length: 28\r\n\r\n(PLAY m (noop (take 1)) ) \r\n")


def test_a_head_whose_lines_end_with_line_feeds_alone_is_mended():
    made, inner = connection()
    made.data_received(b"POST / HTTP/1.0\nContent-Length: 7\n")
    made.data_received(b"\n(INFO)\n")
    assert inner.data == b"POST / HTTP/1.0\r\nContent-Length: 7\r\nHost: -\r\n\r\n(INFO)\n"


def test_what_grows_beyond_the_limits_is_left_to_aiohttp():
    for start, size in ((b"POST / HTTP/1.0\r\n\r\n", 1001), (b"X", LIMIT)):
        made, inner = connection()
        made.data_received(start + b"x" * size)
        assert inner.data.endswith(b"x" * size)


def test_a_client_that_ends_before_its_request_does_is_let_go():
    for piece in (None, b"POST / HT"):
        made, inner = connection()
        if piece:
            made.data_received(piece)
        assert not made.eof_received()
        assert (inner.data, made.ended) == (b"", True)


def test_answers_leave_before_the_clock_counted_from_the_arrival():
    times = Deadlines.of(100.0, 10.0, CLOCK)
    assert 100.0 < times.due < times.last < 110.0
    assert times.due == 110.0 - CLOCK.margin
    short = Deadlines.of(100.0, 0.1, CLOCK)
    assert 100.0 < short.due < short.last < 100.1


def test_a_clock_of_none_leaves_time_to_find_a_legal_move():
    assert Deadlines.of(5.0, 0.0, CLOCK) == Deadlines.of(5.0, 0.1, CLOCK)


async def test_a_question_is_answered_once_and_at_once_when_its_time_is_over():
    question = Question(1, Deadlines(0.0, 0.0), play=True)
    assert await question.wait(FakeClock(1.0)) is None
    question.settle("first")
    question.settle("second")
    assert await question.wait(FakeClock(1.0)) == "first"
    assert not question.open
