"""The command ``python -m agent.worker SETTINGS``: a fork server for workers, started by `agent.server.workers`.

It tells on the socket that is its standard input, a line each, how far it has compiled (`agent.progress`), ``able``
once it can fork workers that play on the relational engine, and ``warm`` once they find everything compiled, or why it
cannot serve. Between the two a fork of it serves, while it compiles. It forks workers (`reasoner.fork_server`), whose
language `agent.worker.messages` is.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import structlog

from agent.errors import SpecError
from agent.logs import configure_logs
from agent.players.spec import player_factory
from agent.progress import Progress, progress_line
from agent.settings import Settings, from_dict
from agent.worker.messages import ABLE, WARM
from agent.worker.process import serve
from reasoner import warm_up_relational
from reasoner.errors import ReasonerError
from reasoner.fork_server import ForkServer, control_socket
from reasoner.jit_progress import compiling
from reasoner.lanes.emitters import best, why_portable
from reasoner.platform_calls import data_memory, end_with, lock_file
from search.warm import compiled_elsewhere, rest_kept, warm_up_first, warm_up_rest

Become = Callable[[socket.socket], NoReturn]
"""What a forked process does with its socket."""
ROOM_MIB = 48
"""MiB that a small match needs beside what is loaded."""
HANDOVER = 1.0
"""Seconds that a fork which serves meanwhile may take to let go."""


def main() -> None:
    """Load and compile what matches need, say so, and fork."""
    control = control_socket()
    settings = from_dict(json.loads(sys.argv[1]))
    configure_logs(settings.log)
    try:
        make_player = player_factory(settings.player.spec)
    except SpecError as error:
        _say(control, str(error))
        return

    def become(end: socket.socket) -> NoReturn:
        serve(end, settings, make_player)

    def progress(done: int, of: int) -> None:
        _say(control, progress_line(done, of))

    with compiling(progress):
        warm_up_relational()
    if settings.worker.engine != "relational":
        with _served_meanwhile(control, become, early=settings.worker.engine == "auto"):
            try:
                with _one_after_the_other():
                    _warm(settings, progress)
            except ReasonerError as error:
                _say(control, f"setting build.emitter: {error}")
                return
        _warm_up_rest(settings, control)
    if needed := _more_memory(settings.worker.memory_mib):
        _say(control, needed)
        return
    server = ForkServer(control, become, _failed, _ended)
    _say(control, WARM if settings.worker.engine == "relational" else f"{WARM} {lanes(settings)}")
    server.run()


def _more_memory(mib: int) -> str | None:
    """Why workers could not live with so much memory; None where they could, or the system does not tell."""
    loaded = data_memory() >> 20
    if loaded and mib < (least := loaded + ROOM_MIB):
        return f"setting worker.memory_mib: {mib} is too little for a match; set at least {least}, better 1024"
    return None


def _say(control: socket.socket, line: str) -> None:
    control.sendall(" ".join(line.splitlines()).encode() + b"\n")


@contextlib.contextmanager
def _served_meanwhile(control: socket.socket, become: Become, *, early: bool) -> Iterator[None]:
    """Let a fork of this process serve in its place; `early` says whether workers may do without what is compiled."""
    if not early:
        yield
        return
    ours, theirs = socket.socketpair()
    server = os.getpid()
    process = os.fork()
    if process == 0:
        ours.close()
        try:
            end_with(server)
            compiled_elsewhere(server)
            _serve_until_told(control, theirs, become)
        finally:  # whatever it raises, it must not go on as the server that compiles
            os._exit(0)
    theirs.close()
    try:
        yield
    finally:
        _end_service(ours, process)


def _serve_until_told(control: socket.socket, word: socket.socket, become: Become) -> None:
    """In the fork: serve until the other end of `word` is closed, then wait for the processes forked."""
    server = ForkServer(control, become, _failed, _ended)
    _say(control, ABLE)
    server.run(word)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _end_service(word: socket.socket, process: int) -> None:
    """Have the fork serve no more, so that each request finds one server."""
    with word:
        word.shutdown(socket.SHUT_WR)
        word.settimeout(HANDOVER)
        try:
            word.recv(1)
        except OSError:  # it hangs; the workers it has forked live on
            os.kill(process, signal.SIGKILL)


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
        lock_file(lock)
    except OSError:
        lock_file(lock, shared=True, wait=True)  # until the first is done; then all the others go on at once
    try:
        yield
    finally:
        os.close(lock)


def _warm(settings: Settings, progress: Progress) -> None:
    """Compile what matches need, and say once which code circuits get, and why none that is native."""
    emitter = settings.build.emitter
    with compiling(progress):
        warm_up_first(_named(emitter))
        if rest_kept():
            warm_up_rest(_named(emitter))
    reason = {"reason": why_portable()} if emitter == "auto" and why_portable() is not None else {}
    structlog.get_logger().info(f"circuits play in {lanes(settings)} lanes", **reason)


def lanes(settings: Settings) -> str:
    """The emitter that makes the code of circuits here, one that can be had."""
    return _named(settings.build.emitter) or best()


def _named(emitter: str) -> str | None:
    return None if emitter == "auto" else emitter


def _warm_up_rest(settings: Settings, control: socket.socket) -> None:
    """Compile in a process of its own, which ends with this one, what a first match can do without; a first start only.

    Matches that begin meanwhile and need some of it find it compiled, or compile it themselves.
    """
    server = os.getpid()
    if rest_kept() or os.fork():
        return
    try:
        end_with(server)
        control.close()
        os.nice(19)
        warm_up_rest(_named(settings.build.emitter))
    finally:  # whatever it raises, it must not go on as a server
        os._exit(0)


def _failed(reason: str) -> None:
    structlog.get_logger().error("no process for a worker", reason=reason)


def _ended(process: int, code: int) -> None:
    structlog.get_logger().debug("a worker ended", pid=process, code=code)


if __name__ == "__main__":
    main()
