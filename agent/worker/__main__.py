"""The command ``python -m agent.worker SETTINGS``: a fork server for workers, started by `agent.server.workers`.

Standard input is a socket. It tells there, a line each, how far it has compiled (`agent.progress`), then ``warm`` or
why it cannot serve, and then forks a worker for each file descriptor that comes; that is the worker's socket, whose
language `agent.server.worker` describes.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import signal
import socket
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import structlog

from agent.errors import SpecError
from agent.logs import configure_logs
from agent.players.base import Player
from agent.players.spec import player_factory
from agent.progress import Progress, progress_line
from agent.settings import Settings, from_dict
from agent.worker.serve import serve
from reasoner import warm_up_relational
from reasoner.compiling import compiling
from reasoner.errors import ReasonerError
from reasoner.lanes.emitters import why_portable
from search import warm_up


def main() -> None:
    """Load and compile everything, say so, and fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    settings = from_dict(json.loads(sys.argv[1]))
    configure_logs(settings.log)
    try:
        make_player = player_factory(settings.player.spec)
    except SpecError as error:
        _say(control, str(error))
        return
    try:
        with _one_after_the_other():
            _warm(settings, lambda done, of: _say(control, progress_line(done, of)))
    except ReasonerError as error:
        _say(control, f"setting build.emitter: {error}")
        return
    gc.collect()
    gc.freeze()  # what is loaded stays shared between the workers
    signal.signal(signal.SIGCHLD, _bury)
    _say(control, "warm")
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            return
        if descriptors:
            _fork(control, descriptors[0], settings, make_player)
        else:  # too many files are open: the other end is told by the end of its socket
            structlog.get_logger().error("no worker", reason="too many open files")


def _say(control: socket.socket, line: str) -> None:
    control.sendall(" ".join(line.splitlines()).encode() + b"\n")


@contextlib.contextmanager
def _one_after_the_other() -> Iterator[None]:
    """Where several agents start at once the first compiles alone; the others then find what it has compiled."""
    name = f"ggp-agent-{os.getuid()}-{zlib.crc32(__file__.encode()):08x}.lock"
    try:
        lock = os.open(Path(tempfile.gettempdir()) / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:  # nowhere to agree: each compiles for itself
        yield
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fcntl.flock(lock, fcntl.LOCK_SH)  # until the first is done; then all the others go on at once
    try:
        yield
    finally:
        os.close(lock)


def _warm(settings: Settings, progress: Progress) -> None:
    """Compile what matches need, and say once where circuits' code is not native though it might be."""
    emitter = settings.build.emitter
    with compiling(progress):
        if settings.worker.engine == "relational":
            warm_up_relational()
            return
        warm_up(None if emitter == "auto" else emitter)
    if emitter == "auto" and why_portable() is not None:
        structlog.get_logger().info("circuits play in portable lanes", reason=why_portable())


def _fork(control: socket.socket, descriptor: int, settings: Settings, make_player: Callable[[], Player]) -> None:
    try:
        child = os.fork() == 0
    except OSError as error:
        structlog.get_logger().error("no process for a worker", reason=error.strerror)
        child = False
    if child:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control.close()
        serve(socket.socket(fileno=descriptor), settings, make_player)
    os.close(descriptor)


def _bury(_signal: int, _frame: FrameType | None) -> None:
    """Take note of workers that have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            code = os.waitstatus_to_exitcode(ended[1])
            structlog.get_logger().debug("a worker ended", pid=ended[0], code=code)


if __name__ == "__main__":
    main()
