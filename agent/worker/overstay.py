"""Stops the process of a match whose player does not return for a message; another process continues.

A player may be third-party code. While one of its methods runs, it handles no message. The agent's own detection of
hung processes may take many clocks, so this one acts when half of the next clock is over.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

from agent.worker.messages import Choose, Command


class Overstay:
    """Watches in a thread of its own. Raises RuntimeError where there is no room for one."""

    def __init__(self, stuck: Callable[[], bool], end: Callable[[], None]) -> None:
        """`stuck`: whether a message waits while the player thinks; `end`: what ends this process."""
        self._stuck = stuck
        self._end = end
        self._asked: queue.SimpleQueue[float] = queue.SimpleQueue()  # when to look
        threading.Thread(target=self._watch, daemon=True).start()

    def noticed(self, command: Command) -> None:
        """A command has come, and waits for the player to come back."""
        if isinstance(command, Choose):
            now = time.monotonic()
            self._asked.put((now + max(now, command.deadline)) / 2)

    def _watch(self) -> None:
        while True:
            time.sleep(max(self._asked.get() - time.monotonic(), 0.0))
            if self._stuck():
                structlog.get_logger().error("the player does not return; its process is stopped")
                self._end()
