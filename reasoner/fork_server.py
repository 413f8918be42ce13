"""Fork server: start processes in a few milliseconds, as forks of a process that has loaded and compiled everything.

Importing numba and loading compiled kernels takes most of a second. A fork server is a program (``python -m MODULE``)
whose standard input is a socket. A request is one byte on that socket, with one or two sockets attached. The new
process uses the first attached socket. The second one watches the process: when the client closes it, the process is
killed; when the process ends, the server writes the exit code to it. The server answers the byte `PING` with the line
`HERE`. It has one thread, so that forking is safe, and ends when its last client has ended. Processes that a fork
leaves behind are killed, in any process group or session.

On macOS a fork may use Apple's libraries only if they had no thread in the server. A server uses only Accelerate
(through numpy), and configures it to start no threads. The system kills a fork that breaks this rule. The client then
receives the exit code and continues without the process.
"""

from __future__ import annotations

import atexit
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

from reasoner.platform_calls import (
    adopt_orphans,
    hold_while_sent,
    offer_to_oom_killer,
    own_children,
    sigint_blocked,
)

ROOT = Path(__file__).parents[1]
"""The folder that contains the packages, in a checkout or an installation."""
REQUEST, PING = b"f", b"?"
BY_MAIN_THREAD = "by-main-thread"
"""The argument of a server that the client's main thread has started, which lives as long as the client."""
HERE = "here"
MAX_WAIT_SECONDS, POLL_SECONDS = 1.0, 0.01
"""Seconds that an ending server waits for its processes, and seconds between two checks."""
CLIENT_WAIT_SECONDS = 2.0
"""Maximum time that an ending client waits for its server."""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command of a process that runs the program `module`; `search_path` is for its environment.

    Python does not look for modules in the current folder first: a file there may be named like one of ours.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Return the environment variables of a fork server."""
    return {
        **os.environ,
        **search_path(),
        "OPENBLAS_NUM_THREADS": "1",  # a process with several threads is not safe to fork
        "VECLIB_MAXIMUM_THREADS": "1",  # the same for the library of macOS
    }


def search_path() -> dict[str, str]:
    """Return the environment variable by which a process finds the modules that this one finds.

    It leaves out the current folder, which is added again for a player that is in it.
    """
    try:
        here = str(Path.cwd())
    except OSError:  # it was removed
        here = ""
    folders = [str(ROOT), *(folder for folder in sys.path if folder not in ("", here))]
    return {"PYTHONPATH": os.pathsep.join(folders)}


def ask(control: socket.socket, *ends: socket.socket) -> None:
    """Send a request to a fork server with these socket ends attached. Raises OSError if the server has ended."""
    descriptors = [end.fileno() for end in ends]
    socket.send_fds(control, [REQUEST], descriptors)
    hold_while_sent(descriptors)


class Forks:
    """A client of one fork server. The first request starts the server; processes forked after that share it."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self.server: subprocess.Popen[bytes] | None = None  # kept: Python warns about a lost process

    def fork(self) -> tuple[socket.socket, socket.socket]:
        """Request a process; return the client's ends of its socket and of the socket that watches it."""
        talk, its_talk = socket.socketpair()
        life, its_life = socket.socketpair()
        with its_talk, its_life, self._lock:
            try:
                ask(self._started(), its_talk, its_life)
            except OSError:  # the server has ended: start another one
                self._disconnect()
                ask(self._started(), its_talk, its_life)
        return talk, life

    def _started(self) -> socket.socket:
        """Return the client's end of the server's socket; start the server if there is none."""
        if self._control is None:
            ours, theirs = socket.socketpair()
            by_main = threading.current_thread() is threading.main_thread()
            started = command(self._module, *([BY_MAIN_THREAD] if by_main else []))
            with theirs, sigint_blocked():
                self.server = subprocess.Popen(
                    started, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=environment()
                )
            self._control = ours
            atexit.register(self._close)
        return self._control

    def _close(self) -> None:
        """Let the server end, and wait for it; otherwise Python warns about a process that still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):  # a second Ctrl-C at exit
            atexit.unregister(self._close)
            self._disconnect()
            if self.server is not None:
                self.server.wait(CLIENT_WAIT_SECONDS)

    def _disconnect(self) -> None:
        if self._control is not None:
            self._control.close()
        self._control = None


def control_socket() -> socket.socket:
    """Return the request socket of a fork server; standard input is replaced by an empty file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client decides when to stop
    _close_copies()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return control


def _close_copies() -> None:
    """Close the copies of standard input, which uvloop leaves open in the programs that it starts.

    With one, a fork could write to the client as the server, and the client could not see the server's end.
    """
    try:
        descriptors = [int(path.name) for path in Path("/dev/fd").iterdir()]
    except OSError:  # a system without this list
        return
    for descriptor in filter(None, descriptors):
        with contextlib.suppress(OSError):  # the descriptor of the list is closed already
            if os.path.sameopenfile(descriptor, 0):
                os.close(descriptor)


def abandoned(control: socket.socket) -> bool:
    """Whether no client is left that could send a request."""
    try:
        return not control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except ConnectionError:  # killed with unread lines
        return True


class ForkServer:
    """The fork server, created after everything is loaded.

    A forked process calls `become` with its socket. `failed` is called with the message of a failed fork. `ended` is
    called with the process ID and the exit code of an ended process, also of one that was started earlier or by
    `helper`.
    """

    def __init__(
        self,
        control: socket.socket,
        become: Callable[[socket.socket], NoReturn],
        failed: Callable[[str], None] = lambda _: None,
        ended: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        gc.collect()
        gc.freeze()  # loaded objects stay shared with the forks
        self._control = control
        self._become, self._failed, self._ended = become, failed, ended
        self._selector = selectors.DefaultSelector()
        self._lives: dict[int, socket.socket] = {}  # the watching socket of each watched process
        self._own = [control]  # sockets that no fork needs
        self._forks: set[int] = set()
        adopt_orphans()  # this process becomes the parent of processes that forks leave behind
        self._others = own_children()  # children that this process started before
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._waker)
        self._selector.register(control, selectors.EVENT_READ, self._handle_request)
        self._selector.register(self._wake, selectors.EVENT_READ, self._reap)

    def run(self, until: socket.socket | None = None) -> None:
        """Serve requests until no client is left, or until the other end of `until` is closed."""
        if until is not None:
            self._selector.register(until, selectors.EVENT_READ, self._control.close)
            self._own.append(until)  # otherwise forks would keep it open
        while self._control.fileno() >= 0:
            for key, _ in self._selector.select():
                key.data()
        if until is not None:
            until.close()
            return
        for process in self._lives:
            os.kill(process, signal.SIGKILL)
        self._wait_for_forks()

    def helper(self, run: Callable[[], NoReturn]) -> int:
        """Fork a process that serves no client, and return its number. Raises OSError."""
        process = os.fork()
        if process == 0:
            self._close_sockets(None)
            try:
                run()
            finally:  # no exception may return into this loop
                os._exit(1)
        self._others.add(process)
        return process

    def _handle_request(self) -> None:
        try:
            data, descriptors, flags, _ = socket.recv_fds(self._control, len(REQUEST), 2)
        except OSError:  # closed in this round, or the client was killed before it read all data
            data, descriptors, flags = b"", [], 0
        ends = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if not data:
            self._control.close()
        elif data == PING:
            self._answer()
        elif not ends or flags & socket.MSG_CTRUNC:  # the client notices when its sockets close
            self._failed("too many open files")
        else:
            self._fork(*ends)
            return
        for end in ends:
            end.close()

    def _answer(self) -> None:
        with contextlib.suppress(OSError):  # the client has probably ended
            self._control.send(f"{HERE}\n".encode(), socket.MSG_DONTWAIT)

    def _fork(self, talk: socket.socket, life: socket.socket | None = None) -> None:
        try:
            process = os.fork()
        except OSError as error:  # the sockets close, and the client notices that
            self._failed(error.strerror or str(error))
            process = -1
        if process == 0:
            self._close_sockets(life)
            offer_to_oom_killer()  # before the agent
            try:
                self._become(talk)
            finally:  # no exception may return into this loop
                os._exit(1)
        talk.close()
        if process > 0:
            self._forks.add(process)
        if life is not None and process < 0:
            life.close()
        elif life is not None:
            self._lives[process] = life
            self._selector.register(life, selectors.EVENT_READ, lambda: self._kill_abandoned(process))

    def _close_sockets(self, life: socket.socket | None) -> None:
        """Close all sockets of the server, in the fork."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        os.close(self._wake)
        os.close(self._waker)
        for end in (*self._own, *self._lives.values(), *([life] if life else [])):
            end.close()

    def _kill_abandoned(self, process: int) -> None:
        """Kill a process that its client has abandoned."""
        if process in self._lives:  # otherwise it was reaped in this round, and the number may have been reused
            os.kill(process, signal.SIGKILL)
            self._selector.unregister(self._lives[process])

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake, 1024):
                pass
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._report_end(ended[0], os.waitstatus_to_exitcode(ended[1]))
        for orphan in own_children() - self._forks - self._others:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)

    def _wait_for_forks(self) -> None:
        """Wait for the remaining forks, which end when no client talks to them; kill the others, and their orphans."""
        end = time.monotonic() + MAX_WAIT_SECONDS
        while (self._forks or own_children() - self._others) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
            self._reap()
        for process in self._forks:
            os.kill(process, signal.SIGKILL)

    def _report_end(self, process: int, code: int) -> None:
        """Report the exit code of an ended process to the client that watches it."""
        known = process in self._forks | self._others
        self._forks.discard(process)
        self._others.discard(process)
        if known:
            self._ended(process, code)
        life = self._lives.pop(process, None)
        if life is None:
            return
        with contextlib.suppress(OSError, KeyError):
            self._selector.unregister(life)
        with contextlib.suppress(OSError):
            life.sendall(str(code).encode())
        life.close()
