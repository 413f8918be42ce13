"""The command ``python -m agent.worker``: serves matches, one after the other, to the server that started it.

Commands and events are described in `agent.server.worker`, their other end.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import structlog

from agent.errors import SpecError
from agent.logs import configure_logs
from agent.players.base import Player
from agent.players.spec import player_factory
from agent.settings import Settings, from_dict
from agent.worker.channel import Channel, Command
from agent.worker.session import RefusalError, Session
from reasoner.errors import ReasonerError
from search.clock import MonotonicClock


class Worker:
    """Obeys commands, and lets the player ponder between them."""

    def __init__(self, channel: Channel, settings: Settings, make_player: Callable[[], Player]) -> None:
        self._channel = channel
        self._settings = settings
        self._make_player = make_player
        self._session: Session | None = None
        self._clock = MonotonicClock()

    def run(self) -> None:
        """Serve until the process is ended."""
        while True:
            command = self._channel.receive(self._session.patience if self._session else None)
            if command is not None:
                self._obey(command)
            elif self._session is not None:
                self._session.ponder()

    def _obey(self, command: Command) -> None:
        if command["do"] == "start":
            self._end()
            self._start(command)
        elif command["do"] == "stop":
            self._end()
            self._channel.send("idle")
        elif self._session is not None:
            self._play(self._session, command)

    def _start(self, command: Command) -> None:
        structlog.contextvars.bind_contextvars(match=command["match"])
        try:
            self._session = Session(command, self._make_player(), self._settings, self._channel, self._clock)
            self._session.start(command)
        except (RefusalError, ReasonerError) as error:
            self._end()
            self._channel.send("refused", reason=str(error))

    def _play(self, session: Session, command: Command) -> None:
        try:
            session.play(command)
        except ReasonerError as error:
            structlog.get_logger().error("no move can be computed", reason=str(error))

    def _end(self) -> None:
        if self._session is not None:
            self._session.stop()
            self._session = None
            gc.collect()


def main() -> None:
    """Limit this process, load what a match needs, say so, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    events = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a player prints must not mix with the events
    channel = Channel(sys.stdin.buffer, events, _end_group)
    command = channel.receive()
    assert command is not None  # without a time limit there is always one
    settings = from_dict(command["settings"])
    configure_logs(settings.log)
    _limit_memory(settings.worker.memory_mib)
    try:
        make_player = player_factory(settings.player.spec)
    except SpecError as error:
        channel.send("unusable", reason=str(error))
        return
    channel.send("hello")
    try:
        Worker(channel, settings, make_player).run()
    except Exception:  # whatever it is, it belongs in the log as one entry; the server starts another worker
        structlog.get_logger().exception("the worker failed")
        sys.exit(1)


def _limit_memory(mib: int) -> None:
    """Let allocations fail beyond the limit, and let the kernel end this process before the server if it must."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, hard))
    with contextlib.suppress(OSError):  # where there is no such file, nothing is lost
        Path("/proc/self/oom_score_adj").write_text("500")


def _end_group() -> None:
    """The server is gone: end this process and its children, whatever they do."""
    os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    main()
