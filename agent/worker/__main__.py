"""The command ``python -m agent.worker SETTINGS``: a fork server for workers, started by `agent.server.workers`.

It writes lines to the socket that is its standard input: the progress of compilation (`agent.progress`), ``able`` once
it can fork workers that play on the relational engine, and ``warm`` once everything is compiled. If it cannot serve, it
writes the reason instead. Between ``able`` and ``warm`` it compiles, and a fork of it serves meanwhile. The forked
workers (`reasoner.fork_server`) use the messages of `agent.worker.worker_messages`.
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
from agent.worker.process import serve
from agent.worker.raw_output import Collector
from agent.worker.worker_messages import ABLE, WARM
from reasoner import warm_up_relational
from reasoner.errors import LimitError, ReasonerError
from reasoner.fork_server import ForkServer, abandoned, control_socket
from reasoner.jit_progress import compiling
from reasoner.lanes.emitters import best, why_portable
from reasoner.platform_calls import data_memory, end_with, ending_with_parent, lock_file
from search.warm import compiled_elsewhere, rest_kept, warm_up_first, warm_up_rest

Become = Callable[[socket.socket], NoReturn]
"""Function that a forked process runs on its socket."""
ROOM_MIB = 48
"""MiB that a small match needs in addition to the loaded code."""
SEARCH_MIB = 128
"""MiB in addition to the loaded code below which the search fails at moves of large games such as chess."""
HANDOVER = 1.0
"""Seconds within which the interim fork must stop serving."""


def main() -> None:
    """Load and compile what matches need, report it, then serve forks."""
    control = control_socket()
    settings = from_dict(json.loads(sys.argv[1]))
    configure_logs(settings.log)
    with ending_with_parent():
        if abandoned(control):
            return
        collector = Collector(control)
        server = _loaded(control, settings, collector)
    if server is not None:
        server.run()
    collector.close()


def _loaded(control: socket.socket, settings: Settings, collector: Collector) -> ForkServer | None:
    """Load, compile and report; return None after reporting why this process cannot serve."""
    try:
        make_player = player_factory(settings.player.spec)
    except SpecError as error:
        _say(control, str(error))
        return None

    def become(end: socket.socket) -> NoReturn:
        serve(end, settings, make_player, collector)

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
                return None
        _warm_up_rest(settings, control)
    if needed := _more_memory(settings.worker.memory_mib):
        _say(control, needed)
        return None
    _warn_of_little_memory(settings)

    def ended(process: int, code: int) -> None:
        if not collector.restarted(process, code, server.helper):
            _ended(process, code)

    server = ForkServer(control, become, _failed, ended)
    _say(control, WARM if settings.worker.engine == "relational" else f"{WARM} {lanes(settings)}")
    return server


def _more_memory(mib: int) -> str | None:
    """Return why `mib` is too little memory for a worker; None if it is enough or cannot be determined."""
    loaded = data_memory() >> 20
    if loaded and mib < (least := loaded + ROOM_MIB):
        return f"setting worker.memory_mib: {mib} is too little for a match; set at least {least} (recommended: 1024)"
    return None


def _warn_of_little_memory(settings: Settings) -> None:
    """Log a warning if the search may fail in large games, although small matches have enough memory."""
    loaded, mib = data_memory() >> 20, settings.worker.memory_mib
    if loaded and mib < (least := loaded + SEARCH_MIB) and settings.player.spec.partition(":")[0] == "mcts":
        structlog.get_logger().warning(
            "little memory for the search: moves in large games may fail",
            reason=f"setting worker.memory_mib: {mib}; set at least {least} (recommended: 1024)",
        )


def _say(control: socket.socket, line: str) -> None:
    """Tell the agent something; end without a traceback if it has gone, for example killed."""
    try:
        control.sendall(" ".join(line.splitlines()).encode() + b"\n")
    except ConnectionError:
        sys.exit()


@contextlib.contextmanager
def _served_meanwhile(control: socket.socket, become: Become, *, early: bool) -> Iterator[None]:
    """Let a fork of this process serve during the `with` block; without `early`, do nothing.

    `early` says whether workers may run before all code is compiled.
    """
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
        finally:  # after any exception the fork must not continue as the compiling server
            os._exit(0)
    theirs.close()
    try:
        yield
    finally:
        _end_service(ours, process)


def _serve_until_told(control: socket.socket, word: socket.socket, become: Become) -> None:
    """In the fork: serve until the other end of `word` is closed, then wait for all child processes."""
    server = ForkServer(control, become, _failed, _ended)
    _say(control, ABLE)
    server.run(word)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _end_service(word: socket.socket, process: int) -> None:
    """Stop the fork's service, so that only one server takes requests."""
    with word:
        word.shutdown(socket.SHUT_WR)
        word.settimeout(HANDOVER)
        try:
            word.recv(1)
        except OSError:  # the fork hangs; its workers survive it
            os.kill(process, signal.SIGKILL)


@contextlib.contextmanager
def _one_after_the_other() -> Iterator[None]:
    """Let only the first of several starting agents compile; the others wait, and then use its cache."""
    name = f"ggp-agent-{os.getuid()}-{zlib.crc32(__file__.encode()):08x}.lock"
    try:
        lock = os.open(Path(tempfile.gettempdir()) / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:  # the lock file cannot be opened: each agent compiles for itself
        yield
        return
    try:
        lock_file(lock)
    except OSError:
        lock_file(lock, shared=True, wait=True)  # until the first agent is done; then all others continue at once
    try:
        yield
    finally:
        os.close(lock)


def _warm(settings: Settings, progress: Progress) -> None:
    """Compile what matches need; log the emitter of circuits, and why it is not a native one."""
    emitter = settings.build.emitter
    try:
        with compiling(progress):
            warm_up_first(_named(emitter))
            if rest_kept():
                warm_up_rest(_named(emitter))
    except LimitError as error:  # the process that builds a circuit was killed or late, which is no wrong setting
        structlog.get_logger().warning("not all code is compiled; matches compile the rest", reason=str(error))
    reason = {"reason": why_portable()} if emitter == "auto" and why_portable() is not None else {}
    structlog.get_logger().info(f"circuits play in {lanes(settings)} lanes", **reason)


def lanes(settings: Settings) -> str:
    """Return the name of the emitter that generates circuit code on this machine."""
    return _named(settings.build.emitter) or best()


def _named(emitter: str) -> str | None:
    return None if emitter == "auto" else emitter


def _warm_up_rest(settings: Settings, control: socket.socket) -> None:
    """Compile the uncached code that the first match does not need, in a child process that ends with this process.

    A match that starts meanwhile and needs uncached code compiles it itself.
    """
    server = os.getpid()
    if rest_kept() or os.fork():
        return
    try:
        end_with(server)
        control.close()
        os.nice(19)
        warm_up_rest(_named(settings.build.emitter))
    finally:  # after any exception the child must not continue as a server
        os._exit(0)


def _failed(reason: str) -> None:
    structlog.get_logger().error("no process for a worker", reason=reason)


def _ended(process: int, code: int) -> None:
    structlog.get_logger().debug("a process of the fork server ended", pid=process, code=code)


if __name__ == "__main__":
    main()
