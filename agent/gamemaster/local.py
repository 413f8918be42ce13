"""Local agents: each local player runs as `ggp-agent serve` in its own process.

Each agent leads a process group, which is terminated as a whole, first with SIGTERM and then with SIGKILL. If this
process is killed, the agent is killed too (`reasoner.platform_calls.tethered`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from agent.errors import reason_of
from agent.gamemaster.errors import PlayerError, RecordError
from agent.gamemaster.failures import FailureLog
from agent.progress import Progress, read_progress, silent
from reasoner import fork_server
from reasoner.platform_calls import signal_group, tethered

LISTENING = "listening on "
START_SECONDS = 600.0  # the first start compiles kernels; an early exit is noticed at once
END_SECONDS = 3.0
SLOW = 5.0
"""Seconds after which the user is informed that the players compile kernels."""
COMPILING = "the players are starting; a first start compiles kernels for about 40 seconds, later starts take a few"

SERVE = (*fork_server.command("agent", "serve", "--port", "0", "--player"),)
"""The command of a local agent; the SPEC is its last argument."""
READ_LOG = {"GGP_AGENT_LOG_FORMAT": "console"}
"""Environment variables of an agent: its log then has the format that `failures` parses."""

UNLIMITED = {"GGP_AGENT_SERVER_STARTS_PER_MINUTE": "1000000"}
"""Setting of local agents: all their matches come from this process, and quick ones in any number."""


class LocalAgent:
    """The process of one agent. `url` is its address."""

    def __init__(
        self, spec: str, process: asyncio.subprocess.Process, log: IO[bytes], output: asyncio.StreamReader
    ) -> None:
        self.spec = spec
        self.url = ""
        self._process = process
        self._log = log
        self._output = output
        self._closing: asyncio.Task[None] | None = None
        self.failures = FailureLog(log)
        self._drain: asyncio.Task[None] | None = None

    @classmethod
    async def launch(
        cls,
        spec: str,
        command: Sequence[str] = SERVE,
        environment: Mapping[str, str] | None = None,
        log_file: Path | None = None,
    ) -> LocalAgent:
        """Start the process without waiting until it listens; `environment` is added to the current one.

        Appends its log and its player's output to `log_file`, if given. Raises RecordError; PlayerError if no process
        can be started.
        """
        log = _log(log_file)
        output, pipe, writing = await _pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *tethered((*command, spec)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches only the manager, which then sends ABORT
                env=_environment() | dict(environment or {}) | _read_log(),
            )
        except BaseException as error:
            pipe.close()
            if isinstance(error, OSError | RuntimeError):  # the latter if no thread can be started for it
                cause = f"{error}. Are the limits of memory or processes (ulimit) too low?"
                raise PlayerError(f"no process can be started for the player {spec}: {cause}") from error
            raise
        finally:
            os.close(writing)
        agent = cls(spec, process, log, output)
        agent._closing = asyncio.create_task(_close_after(process, pipe))
        return agent

    async def listening(self, progress: Progress = silent) -> None:
        """Wait for the line with the agent's address; `progress` receives earlier lines. Raises PlayerError."""
        try:
            async with asyncio.timeout(START_SECONDS):
                text = await _first_word(self._output, progress)
        except (TimeoutError, ValueError) as error:
            raise PlayerError(
                f"the player {self.spec} did not start within {START_SECONDS:g} s.{self.tail()}"
            ) from error
        if not text.startswith(LISTENING):
            raise PlayerError(f"the player {self.spec} did not start.{self.tail()}")
        self.url = text.removeprefix(LISTENING)
        self._drain = asyncio.create_task(_discard(self._output))

    def tail(self) -> str:
        """Return the last lines of the agent's log, for an error message."""
        file = self._log.fileno()
        text = os.pread(file, os.fstat(file).st_size, 0)  # a seek would move the agent's write position
        lines = text.decode("utf-8", "replace").strip().splitlines()[-5:]
        return "".join(f"\n  {line}" for line in lines)

    @property
    def pid(self) -> int:
        """The id of the process and of its group."""
        return self._process.pid

    @property
    def died(self) -> bool:
        """Whether the process has ended."""
        return self._process.returncode is not None

    async def stop(self) -> None:
        """Terminate the process and its children."""
        try:
            signal_group(self.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), END_SECONDS)
        finally:
            self.kill()
        await self._process.wait()
        for task in filter(None, (self._closing, self._drain)):
            await task
        if not self._log.closed:
            self.failures.read()
        self._log.close()

    def kill(self) -> None:
        """Kill the whole process group, even if its leader has already ended."""
        signal_group(self.pid, signal.SIGKILL)


def log_files(folder: Path | None, names: Sequence[str]) -> list[Path | None]:
    """Return a distinct log file in `folder` for each name; None without a folder."""
    if folder is None:
        return [None] * len(names)
    words = [re.sub(r"[^A-Za-z0-9_.=+-]+", "_", name).strip("_.")[:80] or "player" for name in names]
    if len(set(words)) < len(words):
        words = [f"{index + 1}-{word}" for index, word in enumerate(words)]
    return [folder / f"{word}.log" for word in words]


def _environment() -> dict[str, str]:
    return {**os.environ, **fork_server.search_path(), "PYTHONUNBUFFERED": "1"}


def _read_log() -> dict[str, str]:
    """Return the environment variables of the log. At a higher level than `info`, failures would be missing."""
    level = os.environ.get("GGP_AGENT_LOG_LEVEL", "")
    return {**READ_LOG, "GGP_AGENT_LOG_LEVEL": "debug" if level == "debug" else "info"}


def _log(path: Path | None) -> IO[bytes]:
    """Open the log file of an agent. Raises RecordError."""
    if path is None:
        return tempfile.TemporaryFile()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab+")
    except OSError as error:
        raise RecordError(f"cannot write the log {path}: {reason_of(error)}.") from error


async def _first_word(stream: asyncio.StreamReader, progress: Progress) -> str:
    """Return the first line that is not a progress line. Raises ValueError if a line is too long."""
    while compiled := read_progress(text := (await stream.readline()).decode("utf-8", "replace").strip()):
        progress(*compiled)
    return text


async def _pipe() -> tuple[asyncio.StreamReader, asyncio.ReadTransport, int]:
    """Open a pipe; return a stream of its output, the transport that closes the stream, and the descriptor to write."""
    stream = asyncio.StreamReader()
    reading, writing = os.pipe()
    file, loop = os.fdopen(reading, "rb"), asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), file)
    return stream, transport, writing


async def _close_after(process: asyncio.subprocess.Process, pipe: asyncio.ReadTransport) -> None:
    """Close the output of a process when it ends: programs that a player has started may hold the other end longer."""
    await process.wait()
    pipe.close()


async def _discard(stream: asyncio.StreamReader) -> None:
    """Read and discard output, so that the pipe never fills."""
    while await stream.read(1 << 16):
        pass


class Agents:
    """The local agents of a session: an async context manager that starts them together and stops them at the end."""

    def __init__(
        self,
        specs: Sequence[str],
        command: Sequence[str] = SERVE,
        environment: Mapping[str, str] | None = None,
        progress: Progress = silent,
        logs: Sequence[Path | None] = (),
    ) -> None:
        """`logs` are the log files by agent; without them, logs are temporary."""
        self._progress = progress
        self._specs = specs
        self._logs = logs or [None] * len(specs)
        self._command = command
        self._environment = {**UNLIMITED, **(environment or {})}
        self.running: list[LocalAgent] = []

    async def __aenter__(self) -> list[LocalAgent]:
        """Start the agents; return them in the order of the specs. Raises PlayerError."""
        try:
            for spec, log in zip(self._specs, self._logs, strict=True):
                self.running.append(await LocalAgent.launch(spec, self._command, self._environment, log))
            await asyncio.gather(*(agent.listening(self._progress) for agent in self.running))
        except BaseException:  # if one fails, stop the others
            await self._stop()
            raise
        return self.running

    async def __aexit__(self, *_: object) -> None:
        await self._stop()

    async def _stop(self) -> None:
        try:
            await asyncio.gather(*(agent.stop() for agent in self.running))
        finally:
            for agent in self.running:
                agent.kill()
