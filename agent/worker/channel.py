"""The two pipes of a worker: commands come in, events go out (`agent.worker.messages`)."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import BinaryIO

from agent.worker.messages import Command, Event, decode_command, encode


class Channel:
    """Commands are read by a thread, so that one can be noticed in the middle of a computation."""

    def __init__(self, source: BinaryIO, sink: BinaryIO, on_close: Callable[[], None]) -> None:
        self._source = source
        self._sink = sink
        self._on_close = on_close  # called when the server is gone, by the thread or by what is sending
        self.noticed: Callable[[Command], None] = lambda _: None  # told of each command that comes, by the thread
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def receive(self, timeout: float | None = None) -> Command | None:
        """The next command; None when none came within `timeout` seconds."""
        try:
            return self._commands.get(timeout=timeout) if timeout != 0 else self._commands.get_nowait()
        except queue.Empty:
            return None

    def waiting(self) -> bool:
        """Whether a command waits."""
        return not self._commands.empty()

    def send(self, event: Event) -> None:
        """Tell the server something."""
        try:
            self._sink.write(encode(event))
            self._sink.flush()
        except ConnectionError:  # it may go at any moment, and before the thread has noticed
            self._on_close()

    def _read(self) -> None:
        try:
            with contextlib.suppress(OSError):  # a server that is killed resets the connection
                for line in self._source:
                    command = decode_command(line)
                    self._commands.put(command)
                    self.noticed(command)
        finally:
            self._on_close()
