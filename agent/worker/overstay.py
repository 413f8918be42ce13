"""Watchdog that ends the process of a match if its player does not return; another process continues the match.

A player may be third-party code. While one of its methods runs, the process handles no message. The agent detects a
hung process only after many clocks; this watchdog acts when a PLAY still waits after half of its clock.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

from agent.worker.worker_messages import Choose, Command


class Overstay:
    """Watchdog with a thread of its own. Raises RuntimeError if the thread cannot be started."""

    def __init__(self, stuck: Callable[[], bool], end: Callable[[], None]) -> None:
        """Start the thread. `stuck()` says whether a message waits for the player; `end()` ends this process."""
        self._stuck = stuck
        self._end = end
        self._asked: queue.SimpleQueue[float] = queue.SimpleQueue()  # times of the checks, in monotonic seconds
        threading.Thread(target=self._watch, daemon=True).start()

    def noticed(self, command: Command) -> None:
        """Schedule a check for a command that has arrived."""
        if isinstance(command, Choose):
            now = time.monotonic()
            self._asked.put((now + max(now, command.deadline)) / 2)

    def _watch(self) -> None:
        while True:
            time.sleep(max(self._asked.get() - time.monotonic(), 0.0))
            if self._stuck():
                try:
                    structlog.get_logger().error("the player does not return; its process is stopped")
                finally:  # the player may have changed the configuration of the log
                    self._end()
