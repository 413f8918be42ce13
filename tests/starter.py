"""Starts commands and fork servers as forks of one process that has loaded what they load for a processor second each.

The tests of pages, and those of `ggp-agent match`, `serve` and `tournament`, start some hundred commands, agents and
fork servers; agents in the tests' own process need two hundred fork servers. What a real start needs is shown by some
tests of `ggp-agent serve`, by README.md's commands, and by tests marked `own_fork_server`. In its `sys.executable` a
fork has a Python that starts its agents, and they their fork servers, in the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from reasoner import warm_up_relational
from reasoner.platform_calls import LINUX, SYSTEM, end_with

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(__file__).with_name("started.py")
LONGEST = 1 << 17
"""Bytes of a request at most."""
HIGHEST = 1024
"""Descriptors that the starter may have."""
REST = 10.0
"""Seconds that it may take to end."""


class Fork:
    """A fork in this process's hands, with what the agent uses of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, talk: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.create_task(self._end(talk))

    def kill(self) -> None:
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def _end(self, talk: socket.socket) -> int:
        with talk:
            word = await asyncio.get_running_loop().sock_recv(talk, LONGEST)
        self.returncode = int(word or -signal.SIGKILL)
        return self.returncode


class Starter:
    """The process, and programs that ask it: `ggp-agent` in the folder `programs`, and `python`, by `environment`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        if SYSTEM != LINUX:  # no sockets that keep messages apart: commands are started, which takes longer
            self.programs, self.python, self.environment = Path(sys.executable).parent, sys.executable, {}
            return
        self._folder = Path(tempfile.mkdtemp(prefix="starter-"))
        self.programs = self._folder / "bin"
        self.programs.mkdir()
        self.python = str(self._folder / "python")
        for program in (self.programs / "ggp-agent", Path(self.python)):
            program.write_text(f"#!{sys.executable} -IS\n{PROGRAM.read_text()}")
            program.chmod(0o755)
        self.environment = {"STARTER_SOCKET": str(self._folder / "socket"), "STARTER_PYTHON": sys.executable}
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(self.environment["STARTER_SOCKET"])
        listening.listen(64)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tests.starter", self.python]
        streams = {"stdin": listening.fileno(), "stdout": subprocess.PIPE}
        with listening:
            self._process = subprocess.Popen(command, **streams, env=environment, start_new_session=True)

    def loaded(self) -> Starter:
        """This, once it has loaded all: it may have to compile, which is no command's time."""
        if self._process is not None:
            self._process.stdout.readline()
        return self

    async def fork_server(self, settings: dict, control: socket.socket) -> Fork:
        """A fork server that talks over `control`."""
        loop, talk = asyncio.get_running_loop(), socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        talk.setblocking(False)
        await loop.sock_connect(talk, self.environment["STARTER_SOCKET"])
        wanted = {
            "arguments": ["agent.worker", json.dumps(settings)],
            "environment": {**os.environ, **self.environment, "PYTHONPATH": str(ROOT)},
            "folder": str(Path.cwd()),
            "apart": True,
        }
        socket.send_fds(talk, [json.dumps(wanted).encode()], [control.fileno(), 1, 2])
        return Fork(int(await loop.sock_recv(talk, LONGEST)), talk)

    def close(self) -> None:
        """End it, with all that it has started."""
        if self._process is None:
            return
        self._process.terminate()
        self._process.communicate(timeout=REST)
        shutil.rmtree(self._folder)


def load() -> None:
    """What most commands, agents and fork servers load."""
    for command in ("bench", "check", "match", "serve", "show", "step", "tournament"):
        import_module(f"agent.cli.{command}")
    import_module("agent.players.mcts")
    import_module("agent.worker.__main__")
    warm_up_relational()


def received(talk: socket.socket) -> tuple[bytes, list[int]]:
    """Return a message and its descriptors; no bytes: who asked has ended, maybe killed before it read the answer."""
    try:
        data, descriptors, _, _ = socket.recv_fds(talk, LONGEST, 3)
    except ConnectionResetError:
        return b"", []
    return data, descriptors


def requests(listening: socket.socket) -> tuple[dict, list[int]]:
    """Fork for each request, tell its id and its end; returns in a fork, with its request and standard streams."""
    waiting = select.poll()
    waiting.register(listening, select.POLLIN)
    talks: dict[int, tuple[socket.socket, int | None]] = {}  # by its descriptor; its fork, once there is one
    ends: dict[int, int] = {}  # by the descriptor that tells of a fork's end, that of its talk
    while True:
        for ready, _ in waiting.poll():
            if ready == listening.fileno():
                talk, _ = listening.accept()
                talks[talk.fileno()] = talk, None
                waiting.register(talk, select.POLLIN)
            elif ready in ends:
                talk, process = talks.pop(ends.pop(ready))
                waiting.unregister(ready)
                waiting.unregister(talk)
                os.close(ready)
                with talk, contextlib.suppress(OSError):  # who asked may have been killed
                    talk.send(str(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])).encode())
            elif ready in talks:
                talk, process = talks[ready]
                data, descriptors = received(talk)
                if process is not None:  # a signal, or who asked was killed
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, int(data or signal.SIGKILL))
                    if not data:
                        waiting.modify(talk, 0)
                elif not data:
                    waiting.unregister(talk)
                    talks.pop(ready)[0].close()
                elif (process := os.fork()) == 0:
                    return json.loads(data), descriptors
                else:
                    for descriptor in descriptors:
                        os.close(descriptor)
                    with contextlib.suppress(OSError):  # who asked may have been killed
                        talk.send(str(process).encode())
                    talks[ready], end = (talk, process), os.pidfd_open(process)
                    ends[end] = ready
                    waiting.register(end, select.POLLIN)


def become(wanted: dict, descriptors: list[int]) -> None:
    """What a start of the command finds."""
    os.setsid()
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
    os.closerange(3, HIGHEST)
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    if os.environ.get("PYTHONUNBUFFERED"):
        sys.stdout.reconfigure(write_through=True)
    called, *arguments = wanted["arguments"]
    installed = called == "ggp-agent"
    given = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    first = [str(Path(sys.executable).parent)] if installed else [] if wanted["apart"] else [wanted["folder"]]
    sys.path[:] = [*first, *given, *(path for path in sys.path if path not in ("", str(ROOT), *given))]
    sys.argv = [called if installed else f"{called}/__main__.py", *arguments]
    main = sys.modules["__main__"]
    main.__package__ = None if installed else called  # by which a command knows its name
    main.__spec__ = find_spec("agent.__main__" if installed else f"{called}.__main__")  # what its own processes import


def main() -> None:
    sys.executable = sys.argv[1]  # before anything is imported that keeps it
    listening = socket.socket(fileno=os.dup(0))
    load()
    sys.stdout.write("loaded\n")
    sys.stdout.flush()
    starter = os.getpid()
    wanted, descriptors = requests(listening)
    end_with(starter)
    become(wanted, descriptors)
    if wanted["arguments"][0] == "agent.worker":
        from agent.worker.__main__ import main as run
    else:
        from agent.cli import main as run
    run()


if __name__ == "__main__":
    main()
