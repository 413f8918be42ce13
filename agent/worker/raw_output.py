"""Limit on the bytes that reach a worker's file descriptors 1 and 2, which the programs of a player inherit.

Both descriptors are a pipe. One process beside the fork server, the collector, reads the pipes of all workers. It
copies the first MAX_BYTES of each to the log and drops the rest. It is neither a thread nor a child of a worker: the
pipe does not stay full while a player holds the interpreter lock, and the last output of a crashed worker is copied.

If the collector is killed, the fork server starts another one and counts it in shared memory. A worker keeps the
reading end of its pipe, and hands it to the next collector between two commands. So no write fails meanwhile; a flood
of more than the pipe holds waits for that. Without a collector, all output is discarded.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import selectors
import socket
import sys
import time
from collections.abc import Callable
from typing import NoReturn, TextIO

import structlog

from agent.worker.player_output import MAX_CHARACTERS

MAX_BYTES = MAX_CHARACTERS
"""Maximum bytes that are copied from one pipe before the rest is dropped."""
LAST_BYTES = 4_000
"""Bytes at the end of the dropped output that are copied nevertheless: they may say why a process crashed."""
CHUNK = 1 << 16
"""Bytes per read, the usual capacity of a pipe."""
STDOUT, STDERR = 1, 2
CLOSE_SECONDS, POLL_SECONDS = 1.0, 0.01
"""Seconds to wait for the collector's end, and between two checks."""
MAX_RESTARTS = 5
"""Maximum number of collectors after the first: something may kill each of them."""
_HANDOVER = b"p"


class Collector:
    """The collector process, started by the fork server before it forks workers. Raises OSError."""

    def __init__(self, unneeded: socket.socket) -> None:
        """Fork the collector, which closes the socket `unneeded`."""
        self._sender, self._receiver = socket.socketpair()
        self._count = mmap.mmap(-1, 1)  # shared with the workers: how many collectors have ended
        self._known = 0  # in a worker: that number when it handed over its pipe
        self._reading = -1  # in a worker: the reading end of its pipe
        self._process = os.fork()
        if self._process == 0:
            unneeded.close()
            self._collect()
        self._sender.setblocking(False)

    def restarted(self, process: int, code: int, fork: Callable[[Callable[[], NoReturn]], int]) -> bool:
        """In the fork server: replace the collector by `fork` if it is the ended `process`; return whether it is."""
        if process != self._process:
            return False
        log = structlog.get_logger().bind(pid=process, code=code)
        reason: str | None = "too many have ended"
        if self._count[0] < MAX_RESTARTS:
            try:
                self._process, reason = fork(self._collect), None
            except OSError as error:
                reason = error.strerror
        if reason is not None:
            self._receiver.close()  # handing over fails from now on, and workers discard their output
        self._count[0] += 1
        if reason is None:
            log.error("the collector of the players' output ended and is started again; lines of output are lost")
        else:
            log.error("the collector of the players' output ended; further output is discarded", reason=reason)
        return True

    def redirect(self) -> TextIO:
        """In a worker: make descriptors 1 and 2 a collected pipe; return a stream to the log.

        Without a collector, what is written to the descriptors is discarded.
        """
        log = os.fdopen(os.dup(STDERR), "w", buffering=1, encoding=sys.stderr.encoding, errors=sys.stderr.errors)
        self._receiver.close()
        self._reading, writing = os.pipe()
        os.dup2(writing, STDOUT)
        os.dup2(writing, STDERR)
        os.close(writing)
        self._hand_over()
        return log

    def follow(self) -> None:
        """In a worker, between two commands: hand the pipe over again if there is another collector."""
        if self._known != self._count[0] and self._reading >= 0:
            self._hand_over()

    def _hand_over(self) -> None:
        self._known = self._count[0]
        try:
            socket.send_fds(self._sender, [_HANDOVER], [self._reading])
        except OSError as error:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, STDOUT)
            os.dup2(null, STDERR)
            os.close(null)
            os.close(self._reading)
            self._reading = -1
            structlog.get_logger().warning("the output of the player's programs is discarded", reason=error.strerror)

    def _collect(self) -> NoReturn:
        self._sender.close()
        _collect(self._receiver)

    def close(self) -> None:
        """Wait until the collector has copied the output of the ended workers, at most CLOSE_SECONDS."""
        self._sender.close()
        self._receiver.close()
        end = time.monotonic() + CLOSE_SECONDS
        with contextlib.suppress(ChildProcessError):  # it was reaped with the workers
            while not os.waitpid(self._process, os.WNOHANG)[0] and time.monotonic() < end:
                time.sleep(POLL_SECONDS)


class _Pipe:
    """The reading end of one worker's pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = MAX_BYTES
        self._dropped = 0
        self._last = b""  # the end of the dropped bytes

    def copy(self) -> bool:
        """Copy or drop what can be read without waiting; False at the end."""
        try:
            data = os.read(self._descriptor, CHUNK)
        except OSError:
            data = b""
        if not data:
            self._end()
            return False
        _log(data[: self._left])
        rest = data[self._left :]
        if rest and not self._dropped:
            _log(b"\n")  # the entry begins a line
            reason = f"it has more than {MAX_BYTES:,} bytes"
            structlog.get_logger().warning("further output of the player's programs is discarded", reason=reason)
        self._left -= len(data) - len(rest)
        self._dropped += len(rest)
        self._last = (self._last + rest)[-LAST_BYTES:]
        return True

    def _end(self) -> None:
        os.close(self._descriptor)
        if self._dropped:
            structlog.get_logger().warning("output was discarded", bytes=self._dropped - len(self._last))
            _log(self._last + b"\n")


def _collect(receiver: socket.socket) -> NoReturn:
    """Run as the collector, until the fork server and all workers have ended."""
    try:
        selector = selectors.DefaultSelector()
        selector.register(receiver, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                if key.data is None:
                    _accept(receiver, selector)
                elif not key.data.copy():
                    selector.unregister(key.fileobj)
    finally:  # after any exception the collector must not continue as the fork server
        os._exit(0)


def _accept(receiver: socket.socket, selector: selectors.BaseSelector) -> None:
    """Take over the pipe of a new worker, or end this at the fork server's end."""
    try:
        data, descriptors, _, _ = socket.recv_fds(receiver, len(_HANDOVER), 1)
    except ConnectionError:
        data, descriptors = b"", []
    for descriptor in descriptors:
        selector.register(descriptor, selectors.EVENT_READ, _Pipe(descriptor))
    if not data:
        selector.unregister(receiver)


def _log(data: bytes) -> None:
    """Write to standard error; a full disk or a closed pipe loses output."""
    with contextlib.suppress(OSError):
        while data:
            data = data[os.write(STDERR, data) :]
