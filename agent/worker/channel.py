"""Channel between a worker and the server: commands in, events out (`agent.worker.worker_messages`)."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import BinaryIO

from agent.worker.worker_messages import Command, Event, decode_command, encode


class Channel:
    """Command queue and event stream. A thread reads the commands, so that a running computation can check for one."""

    def __init__(self, source: BinaryIO, sink: BinaryIO, on_close: Callable[[], None]) -> None:
        self._source = source
        self._sink = sink
        self._on_close = on_close  # called when the server is gone, by the reader thread or by `send`
        self.noticed: Callable[[Command], None] = lambda _: None  # called with each command, by the reader thread
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def receive(self, timeout: float | None = None) -> Command | None:
        """Return the next command; None if none arrives within `timeout` seconds."""
        try:
            return self._commands.get(timeout=timeout) if timeout != 0 else self._commands.get_nowait()
        except queue.Empty:
            return None

    def waiting(self) -> bool:
        """Whether a command is queued."""
        return not self._commands.empty()

    def send(self, event: Event) -> None:
        """Send an event to the server."""
        try:
            self._sink.write(encode(event))
            self._sink.flush()
        except ConnectionError:  # the server may end before the reader thread notices
            self._on_close()

    def _read(self) -> None:
        try:
            with contextlib.suppress(OSError):  # a killed server resets the connection
                for line in self._source:
                    command = decode_command(line)
                    self._commands.put(command)
                    self.noticed(command)
        finally:
            self._on_close()
