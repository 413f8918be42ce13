"""Failures of a player are read from the lines of its agent's log."""

import os

import pytest
import structlog

from agent.gamemaster.failures import MAX_KINDS, FailureKind, FailureLog, together
from agent.logs import configure_logs
from agent.settings import LogSettings


@pytest.fixture
def log(tmp_path):
    """A file that the log of this process is added to, and the agent's logger."""
    with (tmp_path / "log").open("a+", buffering=1) as stream:
        configure_logs(LogSettings("console", "info", 2000), stream)
        yield stream
    structlog.reset_defaults()


def raised(question, reason="KeyError: 'a = b'", during="play", match="nim.1"):
    try:
        raise KeyError(question)
    except KeyError:
        about = {"question": question, "during": during, "reason": reason, "place": "mine.py:9"}
        structlog.get_logger().bind(match=match).exception("the player failed", **about)


def read(log):
    found = FailureLog(log.buffer)
    found._offset = 0
    found.read()
    return found


def test_failed_moves_and_kinds_are_read_from_the_agents_log(log):
    """Each event that the agent logs of a failure is recognised, with its match, its move and its words."""
    logger = structlog.get_logger().bind(match="nim.1")
    raised(1)
    raised(2)
    raised(0, "RuntimeError: between", "ponder")
    logger.error("the player chose an illegal move", move="(take 99)", question=3)
    logger.warning("the worker is late", turn=3, offer="(take 1)", question=4)
    logger.error("the worker died", pid=77, turn=4, question=5)
    found = read(log)
    assert found.moves("nim.1") == {1, 2, 3, 4, 5}
    assert found.moves("nim.2") == set()
    assert {(one.what, one.times) for one in found.kinds} == {
        ("play raised KeyError: 'a = b' (mine.py:9); another legal move was played", 2),
        ("ponder raised RuntimeError: between (mine.py:9)", 1),
        ("play returned an illegal move, (take 99); another legal move was played", 1),
        ("play did not return in time; another legal move was played", 1),
        ("its process ended: it exited, crashed, ran out of memory or did not return", 1),
    }


def test_a_process_that_was_ended_for_its_silence_is_reported_once(log):
    """Its end is the agent's doing and no further failure."""
    logger = structlog.get_logger().bind(match="m")
    logger.error("the worker hangs and is stopped", pid=7, question=1)
    logger.error("the worker died", pid=7, turn=1, question=2)
    found = read(log)
    assert found.moves("m") == {1}
    assert [one.what for one in found.kinds] == ["its process did not respond and was killed"]


def test_what_players_print_is_no_failure_and_hides_none(log):
    """Output without a line's end stands before the agent's own line; a line without end is not kept."""
    log.write("the player failed question=9 match=nim.1\n" + "x" * 200_000)
    raised(1)
    found = read(log)
    assert found.moves("nim.1") == {1}
    assert len(found._rest) <= 1 << 16


def test_only_what_was_added_is_read_and_told_as_news(log):
    """A log appended to the file of an earlier run reports no failure of that run."""
    raised(1)
    found = FailureLog(log.buffer)
    found.read()
    assert (found.kinds, found.news()) == ((), ())
    raised(1, match="b")
    found.read()
    assert [one.times for one in found.news()] == [1]
    raised(2, match="b")
    raised(3, match="b")
    found.read()
    assert [one.times for one in found.news()] == [2]
    assert [one.times for one in found.kinds] == [3]
    assert found.moves("b") == {1, 2, 3}
    assert found.news() == ()


def test_reading_leaves_the_agent_where_it_writes(log):
    """The place in the file is one for both processes."""
    raised(1)
    os.lseek(log.fileno(), 5, os.SEEK_SET)
    read(log)
    assert os.lseek(log.fileno(), 0, os.SEEK_CUR) == 5


def test_kinds_without_end_are_not_all_kept(log):
    """Moves are counted all the same."""
    for question in range(1, 2 * MAX_KINDS):
        raised(question, f"Error{question}: x")
    found = read(log)
    assert len(found.kinds) == MAX_KINDS
    assert len(found.moves("nim.1")) == 2 * MAX_KINDS - 1


def test_what_several_logs_tell_of_one_kind_is_added_up():
    """Kinds are known by their kind, not by words that differ from time to time."""
    told = [FailureKind("a", "one", 1), FailureKind("b", "two", 2), FailureKind("a", "another", 4)]
    assert together(told) == (FailureKind("a", "one", 5), FailureKind("b", "two", 2))
