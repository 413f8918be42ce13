"""Processes that are forks of one that has loaded and compiled everything once: some milliseconds each.

Importing numba and loading compiled kernels takes most of a second. A fork server is a program (``python -m MODULE``)
whose standard input is a socket. A request is one byte there, with the socket that the new process talks by and, if its
life is watched, another: when that is closed at the asking end the process is killed, and its exit code is told there.
The byte `PING` is answered with the line `HERE`. The server has one thread, so that forking is safe, and ends with the
last process that could ask it for something. What a process has started and left behind at its end is killed, whatever
group or session it has made its own.

On macOS a fork may use what its server has used of Apple's libraries only if they had no thread of their own. Of these
a server uses Accelerate alone, below numpy, and tells it to have none. Nothing switches off the system's own check,
which ends a fork that breaks this rule; who asked is told its exit code, and goes on without it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from reasoner.platform_calls import adopt_orphans, hold_while_sent, offer_to_oom_killer, own_children

ROOT = Path(__file__).parents[1]
"""Where the packages lie, installed or not."""
REQUEST, PING = b"f", b"?"
HERE = "here"
LAST, LOOK = 1.0, 0.01
"""Seconds that a server waits at its end for its processes to end, and between two looks."""


def command(module: str, *arguments: str) -> list[str]:
    """How a fork server is started that is the program `module`."""
    return [sys.executable, "-m", module, *arguments]


def environment() -> dict[str, str]:
    """That of a fork server."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
        "OPENBLAS_NUM_THREADS": "1",  # one thread: a process with several is not safe to fork
        "VECLIB_MAXIMUM_THREADS": "1",  # the same for the library of macOS
    }


def ask(control: socket.socket, *ends: socket.socket) -> None:
    """Ask a fork server for a process with these ends of sockets. Raises OSError where it has ended."""
    descriptors = [end.fileno() for end in ends]
    socket.send_fds(control, [REQUEST], descriptors)
    hold_while_sent(descriptors)


class Forks:
    """Processes of one fork server, which the first request starts; processes forked afterwards share it."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self.server: subprocess.Popen[bytes] | None = None  # kept because nobody waits for it

    def fork(self) -> tuple[socket.socket, socket.socket]:
        """Ask for a process: this end of the socket that it talks by, and of the one about its life."""
        talk, its_talk = socket.socketpair()
        life, its_life = socket.socketpair()
        with its_talk, its_life, self._lock:
            try:
                ask(self._started(), its_talk, its_life)
            except OSError:  # it has ended: another one
                self._let_go()
                ask(self._started(), its_talk, its_life)
        return talk, life

    def _started(self) -> socket.socket:
        """Our end of the server's socket; it is started if there is none."""
        if self._control is None:
            ours, theirs = socket.socketpair()
            with theirs:
                self.server = subprocess.Popen(
                    command(self._module), stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=environment()
                )
            self._control = ours
        return self._control

    def _let_go(self) -> None:
        if self._control is not None:
            self._control.close()
        self._control = None


def control_socket() -> socket.socket:
    """In a fork server: the socket that requests come from, in whose place as standard input there is nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks decides when to stop
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return control


class ForkServer:
    """The server itself, made once all is loaded.

    A forked process runs `become` with its socket; `failed` hears why one could not be had, `ended` a process that has
    ended, with its exit code.
    """

    def __init__(
        self,
        control: socket.socket,
        become: Callable[[socket.socket], NoReturn],
        failed: Callable[[str], None] = lambda _: None,
        ended: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        gc.collect()
        gc.freeze()  # what is loaded stays shared with the forks
        self._control = control
        self._become, self._failed, self._ended = become, failed, ended
        self._selector = selectors.DefaultSelector()
        self._lives: dict[int, socket.socket] = {}  # by process, of those watched
        self._own = [control]  # sockets that no fork needs
        self._forks: set[int] = set()
        adopt_orphans()  # what forks leave behind is this process's then
        self._others = own_children()  # what this process itself has started before
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._waker)
        self._selector.register(control, selectors.EVENT_READ, self._hear)
        self._selector.register(self._wake, selectors.EVENT_READ, self._bury)

    def run(self, until: socket.socket | None = None) -> None:
        """Fork until nobody is left who could ask, or until somebody closes the other end of `until`."""
        if until is not None:
            self._selector.register(until, selectors.EVENT_READ, self._control.close)
            self._own.append(until)  # else forks would hold it open
        while self._control.fileno() >= 0:
            for key, _ in self._selector.select():
                key.data()
        if until is not None:
            until.close()
            return
        for process in self._lives:
            os.kill(process, signal.SIGKILL)
        self._see_out()

    def _hear(self) -> None:
        try:
            data, descriptors, flags, _ = socket.recv_fds(self._control, len(REQUEST), 2)
        except OSError:  # it was closed in this round, or who could ask was killed before it read all it was told
            data, descriptors, flags = b"", [], 0
        ends = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if not data:
            self._control.close()
        elif data == PING:
            self._answer()
        elif not ends or flags & socket.MSG_CTRUNC:  # who asked is told by the end of its sockets
            self._failed("too many open files")
        else:
            self._fork(*ends)
            return
        for end in ends:
            end.close()

    def _answer(self) -> None:
        with contextlib.suppress(OSError):  # nobody reads it, who has most likely gone
            self._control.send(f"{HERE}\n".encode(), socket.MSG_DONTWAIT)

    def _fork(self, talk: socket.socket, life: socket.socket | None = None) -> None:
        try:
            process = os.fork()
        except OSError as error:  # the ends close, and who asked sees that
            self._failed(error.strerror or str(error))
            process = -1
        if process == 0:
            self._let_go(life)
            try:
                self._become(talk)
            finally:  # whatever it raises, it must not come back into this loop
                os._exit(1)
        talk.close()
        if process > 0:
            self._forks.add(process)
        if life is not None and process < 0:
            life.close()
        elif life is not None:
            self._lives[process] = life
            self._selector.register(life, selectors.EVENT_READ, lambda: self._forsake(process))

    def _let_go(self, life: socket.socket | None) -> None:
        """In the fork: close all that is the server's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        os.close(self._wake)
        os.close(self._waker)
        for end in (*self._own, *self._lives.values(), *([life] if life else [])):
            end.close()
        offer_to_oom_killer()  # before the agent

    def _forsake(self, process: int) -> None:
        """Nobody waits for a process any more."""
        if process in self._lives:  # else it was buried in this round, and the number may be another's by now
            os.kill(process, signal.SIGKILL)
            self._selector.unregister(self._lives[process])

    def _bury(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake, 1024):
                pass
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._take_leave(ended[0], os.waitstatus_to_exitcode(ended[1]))
        for orphan in own_children() - self._forks - self._others:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)

    def _see_out(self) -> None:
        """Wait for the forks, which end when nobody is left who talks to them, and end what they leave behind."""
        end = time.monotonic() + LAST
        while (self._forks or own_children() - self._others) and time.monotonic() < end:
            time.sleep(LOOK)
            self._bury()

    def _take_leave(self, process: int, code: int) -> None:
        """A process has ended: tell who watched its life."""
        if process in self._forks:
            self._ended(process, code)
        self._forks.discard(process)
        self._others.discard(process)
        life = self._lives.pop(process, None)
        if life is None:
            return
        with contextlib.suppress(OSError, KeyError):
            self._selector.unregister(life)
        with contextlib.suppress(OSError):
            life.sendall(str(code).encode())
        life.close()
