"""Standard output and standard error of the agent, written by threads, so that nothing waits when a reader stalls.

A pipe to a stopped program, a log driver that blocks, or a terminal after Ctrl-S makes each write wait. The agent would
stop answering at the first such write. A `QueuedWriter` queues the text instead, and drops it while the queue is full.
The agent's child processes write to a pipe that a `ChildLog` reads into the queue of standard error. So they wait for
nobody either, need no thread, which would make forking unsafe, and the last lines of a killed process are kept.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import stat
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import TextIO, cast

QUEUE_BYTES = 1 << 20
"""Maximum bytes that wait to be written."""
CHUNK = 1 << 16
"""Bytes per read from the pipe of the child processes, and maximum bytes to wait for the end of their line."""
CLOSE_SECONDS = 1.0
"""Maximum seconds to write the remaining text at the end."""
COLORS = "_GGP_AGENT_LOG_COLORS"
"""Environment variable of child processes: set if the log is a terminal."""


class DescriptorWriter(io.TextIOBase):
    """A text stream that writes to the descriptor of another one, without a buffer, and drops failed writes.

    A buffer would keep the text of a failed write, and fail again at the exit.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a mutable attribute there
        """See `io.TextIOBase`."""
        return self._stream.encoding

    def fileno(self) -> int:
        """See `io.IOBase`."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """See `io.IOBase`."""
        return self._stream.isatty()

    def writable(self) -> bool:
        """See `io.IOBase`."""
        return True

    def write(self, text: str) -> int:
        """Write the text at once."""
        self.put(text.encode(self.encoding, "backslashreplace"))
        return len(text)

    def put(self, data: bytes) -> None:
        """Write encoded text at once."""
        with contextlib.suppress(OSError, ValueError):  # a full disk, a closed pipe, or a closed stream
            while data:
                try:
                    data = data[os.write(self.fileno(), data) :]
                except BlockingIOError:  # another process has set the pipe to non-blocking
                    select.select([], [self], [])


class QueuedWriter(DescriptorWriter):
    """A `DescriptorWriter` that never waits. `report` gets the number of dropped lines once text flows again.

    Each `write` becomes one write of the thread. After the first dropped text all is dropped until the report. The
    thread is a daemon: a write that never returns does not keep the process alive.
    """

    def __init__(self, stream: TextIO, report: Callable[[int], None] = lambda _: None) -> None:
        super().__init__(stream)
        self._report = report
        self._queue: deque[bytes] = deque()
        self._size = 0  # bytes in the queue
        self._lost = 0  # lines dropped since the last report
        self._finished = False
        self._changed = threading.Condition()  # guards the four
        self._writer = threading.Thread(target=self._write_queue, daemon=True)
        self._writer.start()

    def put(self, data: bytes) -> None:
        """Queue encoded text."""
        reporting = threading.current_thread() is self._writer  # also after the end
        if self._finished and not reporting:
            if not self._writer.is_alive():
                super().put(data)
            return
        with self._changed:
            if self._queue and not reporting and (self._lost or self._size + len(data) > QUEUE_BYTES):
                self._lost += data.count(b"\n")
                return
            self._queue.append(data)
            self._size += len(data)
            self._changed.notify_all()

    def finish(self, seconds: float) -> None:
        """Wait until all is written, at most `seconds`. Later text is written at once, or dropped after a stall."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()
        self._writer.join(seconds)

    def _write_queue(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._finished)
                if not self._queue:
                    return
                data = self._queue[0]
            super().put(data)
            with self._changed:
                lost, self._lost = self._lost, 0
            if lost:
                self._report(lost)
            with self._changed:
                self._queue.popleft()
                self._size -= len(data)


class ChildLog:
    """The pipe to which child processes log; a thread copies their lines to `writer`."""

    current: ChildLog | None = None
    """The pipe of this process, while there is one."""

    def __init__(self, writer: QueuedWriter) -> None:
        self._writer = writer
        reading, self._writing = os.pipe()
        self._reader = threading.Thread(target=self._copy, args=(reading,), daemon=True)
        self._reader.start()

    @classmethod
    def descriptor(cls) -> int | None:
        """Return the descriptor for standard error of child processes; None: they inherit it."""
        return cls.current._writing if cls.current is not None else None

    @classmethod
    def environment(cls) -> dict[str, str]:
        """Return the environment variables that child processes need for their log."""
        return {COLORS: "1"} if cls.current is not None and cls.current._writer.isatty() else {}

    def close(self, seconds: float) -> None:
        """Wait until all child processes have ended and their lines are queued, at most `seconds`."""
        os.close(self._writing)
        self._reader.join(seconds)

    def _copy(self, reading: int) -> None:
        rest = b""
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while data := pipe.read(CHUNK):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._writer.put(line + b"\n")
                if len(rest) >= CHUNK:
                    self._writer.put(rest)
                    rest = b""
        if rest:
            self._writer.put(rest)


@contextlib.contextmanager
def queued_output(stream: TextIO, report: Callable[[int], None] = lambda _: None) -> Iterator[TextIO]:
    """Yield a stream that writes to this one, never waits, and raises no OSError.

    A regular file is written at once: nothing stalls there. At the end, wait for all text, at most CLOSE_SECONDS.
    """
    try:
        regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # a stream in memory
        yield stream
        return
    if regular:
        yield cast(TextIO, DescriptorWriter(stream))
        return
    writer = QueuedWriter(stream, report)
    try:
        yield cast(TextIO, writer)
    finally:
        writer.finish(CLOSE_SECONDS)


@contextlib.contextmanager
def queued_log(stream: TextIO, report: Callable[[int], None]) -> Iterator[TextIO]:
    """Like `queued_output`, and let child processes started in the block log to the stream, too."""
    with queued_output(stream, report) as writer:
        if not isinstance(writer, QueuedWriter):
            yield writer
            return
        children = ChildLog.current = ChildLog(writer)
        try:
            yield writer
        finally:
            ChildLog.current = None
            children.close(CLOSE_SECONDS)
