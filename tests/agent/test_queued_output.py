"""A reader that stalls costs lines and nothing else: all other lines arrive in order, and the loss is counted."""

import contextlib
import io
import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import structlog

from agent import queued_output
from agent.logs import logs_of_agent
from agent.queued_output import QUEUE_BYTES, ChildLog, QueuedWriter
from agent.settings import LogSettings


class Pipe:
    """A pipe with a text stream that writes to it."""

    def __init__(self):
        reading, writing = os.pipe()
        self.source = os.fdopen(reading, "rb")
        self.stream = os.fdopen(writing, "w", encoding="utf-8")

    def rest(self):
        """All that was written."""
        self.stream.close()
        return self.source.read()

    def entries(self):
        return [json.loads(line) for line in self.rest().splitlines()]


@pytest.fixture
def pipe():
    pipe = Pipe()
    with pipe.source, pipe.stream:
        yield pipe


@pytest.fixture
def log(pipe, monkeypatch):
    """The agent's log in JSON to the pipe."""

    @contextlib.contextmanager
    def begun():
        monkeypatch.setattr(sys, "stderr", pipe.stream)
        with logs_of_agent(LogSettings("json", "info", 40)):
            yield structlog.get_logger()

    yield begun
    structlog.reset_defaults()
    logging.basicConfig(force=True)


def test_what_is_written_before_the_end_arrives_in_order(log, pipe):
    with log() as logger:
        for number in range(100):
            logger.info("entry", number=number)
    logger.info("entry", number=100)  # after the end, as from the finalizer of a task
    assert [entry["number"] for entry in pipe.entries()] == list(range(101))


def test_nobody_waits_for_a_reader_that_stalls_and_the_lost_lines_are_counted(log, pipe, monkeypatch):
    monkeypatch.setattr(queued_output, "CLOSE_SECONDS", 60.0)  # the reader may be slow on a busy machine
    written = 3 * QUEUE_BYTES // 100
    with ThreadPoolExecutor(1) as pool:
        with log() as logger:
            for number in range(written):
                logger.info("entry", number=number)
            reading = pool.submit(pipe.source.read)
        pipe.stream.close()
        kept = [json.loads(line) for line in reading.result().splitlines()]
    reports = [entry for entry in kept if entry["event"] != "entry"]  # several if the writer is slow before the stall
    numbers = [entry["number"] for entry in kept if entry["event"] == "entry"]
    assert numbers == sorted(numbers)
    assert sum(report["lines"] for report in reports) == written - len(numbers) > 0


def test_lost_lines_are_counted_if_the_reader_goes_on_only_after_the_end(pipe):
    writer = QueuedWriter(pipe.stream, lambda lost: writer.write(f"lost {lost}\n"))
    for _ in range(3):
        writer.write("x" * (QUEUE_BYTES - 1) + "\n")  # the first waits in the pipe, which is full
    writer.finish(0)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(pipe.source.read)
        writer.finish(60)
        pipe.stream.close()
        assert reading.result().splitlines()[-1] == b"lost 2"


def test_the_end_waits_a_bounded_time_for_a_reader_that_stalls(log, pipe, monkeypatch):
    monkeypatch.setattr(queued_output, "CLOSE_SECONDS", 0.01)
    with log() as logger:
        for _ in range(QUEUE_BYTES // 100):
            logger.info("entry")
    logger.info("not waited for either")
    pipe.source.close()  # ends the write of the thread


def test_the_lines_of_child_processes_stay_whole_between_those_of_the_agent(log, pipe):
    child = 'import os\nfor n in range(200): os.write(2, b\'{"event": "child"}\\n\')'
    with log() as logger, subprocess.Popen([sys.executable, "-c", child], stderr=ChildLog.descriptor()):
        for _ in range(200):
            logger.info("agent")
    events = [entry["event"] for entry in pipe.entries()]
    assert (events.count("child"), events.count("agent")) == (200, 200)


def test_a_line_that_a_child_did_not_end_is_kept(log, pipe):
    with log():
        subprocess.run([sys.executable, "-c", "import os; os.write(2, b'last words')"], stderr=ChildLog.descriptor())
    assert pipe.rest() == b"last words"


def test_a_pipe_that_another_process_has_set_to_non_blocking_loses_nothing(pipe):
    os.set_blocking(pipe.stream.fileno(), False)
    writer = QueuedWriter(pipe.stream)
    writer.write("x" * 200_000)
    assert pipe.source.read(200_000) == b"x" * 200_000
    writer.finish(queued_output.CLOSE_SECONDS)


def test_a_file_is_written_at_once(tmp_path):
    with (tmp_path / "log").open("w") as file, queued_output.queued_log(file, print) as stream:
        stream.write("line\n")
        assert (tmp_path / "log").read_text() == "line\n"
        assert ChildLog.descriptor() is None  # child processes inherit the file


def test_a_stream_in_memory_is_used_as_it_is():
    with queued_output.queued_output(memory := io.StringIO()) as stream:
        assert stream is memory


def test_a_full_disk_loses_the_text_and_raises_nothing(tmp_path):
    """A file that may not grow is as full as a disk."""
    program = """
import resource, signal, sys
from agent.queued_output import queued_output
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))
with queued_output(sys.stdout) as out:
    print("listening", file=out, flush=True)
"""
    with (tmp_path / "log").open("w") as file:
        done = subprocess.run([sys.executable, "-c", program], stdout=file, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "log").read_text() == "list"
