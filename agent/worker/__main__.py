"""The command ``python -m agent.worker SETTINGS``: a fork server for workers, started by `agent.server.workers`.

It says ``warm`` on the socket that is its standard input, or why it cannot serve, and then forks workers
(`reasoner.fork_server`), whose language `agent.worker.messages` is.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import structlog

from agent.errors import SpecError
from agent.logs import configure_logs
from agent.players.spec import player_factory
from agent.settings import Settings, from_dict
from agent.worker.serve import serve
from reasoner import warm_up_relational
from reasoner.compiling import compiling
from reasoner.errors import ReasonerError
from reasoner.fork_server import ForkServer, control_socket
from reasoner.lanes.emitters import why_portable
from search import warm_up


def main() -> None:
    """Load and compile everything, say so, and fork."""
    control = control_socket()
    settings = from_dict(json.loads(sys.argv[1]))
    configure_logs(settings.log)
    try:
        make_player = player_factory(settings.player.spec)
    except SpecError as error:
        control.sendall(str(error).encode())
        return
    try:
        with _one_after_the_other():
            _warm(settings)
    except ReasonerError as error:
        control.sendall(f"setting build.emitter: {error}".encode())
        return
    server = ForkServer(control, lambda end: serve(end, settings, make_player), _failed, _ended)
    control.sendall(b"warm")
    server.run()


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


def _warm(settings: Settings) -> None:
    """Compile what matches need, and say once where circuits' code is not native though it might be."""
    if settings.worker.engine == "relational":
        warm_up_relational()
        return
    emitter = settings.build.emitter
    with compiling(lambda done, of: structlog.get_logger().info("compiling", kernels=done, of_at_most=of)):
        warm_up(None if emitter == "auto" else emitter)
    if emitter == "auto" and why_portable() is not None:
        structlog.get_logger().info("circuits play in portable lanes", reason=why_portable())


def _failed(reason: str) -> None:
    structlog.get_logger().error("no process for a worker", reason=reason)


def _ended(process: int, code: int) -> None:
    structlog.get_logger().debug("a worker ended", pid=process, code=code)


if __name__ == "__main__":
    main()
