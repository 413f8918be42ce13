"""Fork servers for agents under test, each a fork of one process that has loaded the relational engine once.

An agent starts `python -m agent.worker`, which needs a second of a processor before it is ready, and the tests start
some two hundred agents. Here one process for each process of pytest, the seed, loads what that command loads, and
forks; the fork then runs the command's `main` with its own settings, environment, folder and output. What the command
needs to start is shown by tests of `ggp-agent serve` and by those marked `own_fork_server`.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIGHEST = 1024
"""Descriptors that the seed may have."""
REST = 10.0
"""Seconds that the seed may take to end."""
LONGEST = 1 << 17
"""Bytes of a request at most: settings and environment."""


class Fork:
    """A fork server, with what the agent uses of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, report: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.create_task(self._end(report))

    def kill(self) -> None:
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def _end(self, report: socket.socket) -> int:
        with report:
            word = await asyncio.get_running_loop().sock_recv(report, 64)
        self.returncode = int(word or -signal.SIGKILL)
        return self.returncode


class Seed:
    """The process that forks, started when the first agent needs it."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self.process: subprocess.Popen | None = None

    async def spawn(self, settings: dict, control: socket.socket) -> Fork:
        """A fork server that talks over `control`."""
        report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        report.setblocking(False)
        wanted = {"settings": settings, "environment": dict(os.environ), "folder": str(Path.cwd())}
        with theirs:
            socket.send_fds(self._started(), [json.dumps(wanted).encode()], [control.fileno(), theirs.fileno(), 1, 2])
        pid = await asyncio.get_running_loop().sock_recv(report, 64)
        return Fork(int(pid), report)

    def _started(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
                command = [sys.executable, "-m", "tests.agent.seed"]
                self.process = subprocess.Popen(command, stdin=theirs.fileno(), env=environment, start_new_session=True)
            atexit.register(self._end, self._control, self.process)
        return self._control

    def _end(self, control: socket.socket, process: subprocess.Popen) -> None:
        control.close()
        process.wait(REST)


SEED = Seed()


def main() -> None:
    """Load everything, then fork for each request, and tell each one's end, until nobody can ask any more."""
    from agent.players import mcts  # noqa: F401 -- as the fork server does for its player
    from reasoner import warm_up_relational

    control = socket.socket(fileno=os.dup(0))
    warm_up_relational()
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    children: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor that tells of its end
    while True:
        for ready, _ in waiting.poll():
            if ready != control.fileno():
                waiting.unregister(ready)
                pid, report = children.pop(ready)
                os.close(ready)
                with report, contextlib.suppress(OSError):  # nobody may wait for it any more
                    report.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
                continue
            data, descriptors, _, _ = socket.recv_fds(control, LONGEST, 4)
            if not data:
                return
            pid = os.fork()
            if pid == 0:
                _serve(json.loads(data), descriptors)
            report = socket.socket(fileno=descriptors[1])
            for descriptor in (descriptors[0], *descriptors[2:]):
                os.close(descriptor)
            end = os.pidfd_open(pid)
            children[end] = pid, report
            waiting.register(end, select.POLLIN)
            with contextlib.suppress(OSError):  # the agent was closed while it asked; the fork ends with its socket
                report.send(str(pid).encode())


def _serve(wanted: dict, descriptors: list[int]) -> None:
    """What the command does, in a process of its own; does not return."""
    from agent.worker.__main__ import main as serve

    code = 1
    try:
        os.setsid()
        for place, descriptor in zip((0, 1, 2), (descriptors[0], *descriptors[2:]), strict=True):
            os.dup2(descriptor, place)
        os.closerange(3, HIGHEST)
        os.chdir(wanted["folder"])
        os.environ.clear()
        os.environ.update(wanted["environment"], OPENBLAS_NUM_THREADS="1")
        sys.argv[1:] = [json.dumps(wanted["settings"])]
        serve()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
