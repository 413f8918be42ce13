import errno
import io
import json
import logging

import pytest
import structlog
from aiohttp.http_exceptions import BadHttpMessage

from agent.logs import MAX_TRACEBACK, configure_logs
from agent.settings import LogSettings


@pytest.fixture
def lines():
    """The JSON objects logged so far."""
    stream = io.StringIO()
    configure_logs(LogSettings("json", "info", 40), stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    structlog.reset_defaults()
    logging.basicConfig(force=True)


def test_text_from_outside_is_escaped_and_shortened(lines):
    structlog.get_logger().info("odd", text="\x1b[31m\u202ered" + "x" * 100)
    (line,) = lines()
    assert line["text"].startswith("\\u001b[31m\\u202ered")
    assert line["text"].endswith("... (69 more characters)")


def test_the_agents_own_words_are_not_cut():
    stream = io.StringIO()
    configure_logs(LogSettings("json", "info", 1), stream)
    structlog.get_logger().warning("a message of the agent", text="abc")
    structlog.reset_defaults()
    logging.basicConfig(force=True)
    line = json.loads(stream.getvalue())
    assert (line["event"], line["level"]) == ("a message of the agent", "warning")
    assert "more" not in line["timestamp"]
    assert line["text"] == "a ... (2 more characters)"


def test_the_match_id_stands_on_each_line_when_bound(lines):
    with structlog.contextvars.bound_contextvars(match="m1"):
        structlog.get_logger().info("hello")
    assert lines()[0]["match"] == "m1"


def test_broken_http_of_a_client_is_one_line_without_traceback(lines):
    try:
        raise BadHttpMessage("no such thing\nat all")
    except BadHttpMessage:
        logging.getLogger("aiohttp.server").exception("Error handling request")
    (line,) = lines()
    assert line["event"] == "bad http request"
    assert "exception" not in line


def test_what_libraries_log_becomes_json_too(lines):
    logging.getLogger("some.library").error("gone %s", "wrong")
    (line,) = lines()
    assert (line["event"], line["source"]) == ("gone wrong", "some.library")


def test_a_log_that_cannot_be_written_costs_its_lines_and_nothing_else():
    """Raised where a message is answered, a full disk would make each of them an error."""

    class Full(io.StringIO):
        full = True

        def write(self, text):
            if self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(text)

    stream = Full()
    configure_logs(LogSettings("json", "info", 40), stream)
    structlog.get_logger().info("lost")
    stream.full = False
    structlog.get_logger().info("kept")
    structlog.reset_defaults()
    logging.basicConfig(force=True)
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["kept"]


def test_a_line_is_one_write_so_that_the_lines_of_two_processes_are_never_joined():
    writes = []

    class Unbuffered(io.StringIO):
        def write(self, text):
            writes.append(text)
            return len(text)

    configure_logs(LogSettings("json", "info", 40), Unbuffered())
    structlog.get_logger().info("whole")
    structlog.reset_defaults()
    logging.basicConfig(force=True)
    (line,) = writes
    assert line.endswith("}\n")


def test_a_traceback_keeps_its_beginning_and_its_end(lines):
    try:
        raise ValueError("x" * 1_000_000)
    except ValueError:
        structlog.get_logger().exception("failed")
    text = lines()[0]["exception"]
    assert text.startswith("Traceback")
    assert "more characters" in text
    assert len(text) < 1.1 * MAX_TRACEBACK
