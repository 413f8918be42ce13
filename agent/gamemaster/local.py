"""Local agents: each player described by a SPEC runs as `ggp-agent serve` in a process of its own.

Nothing stays behind: each agent leads a process group, which is ended as a whole, kindly first and then for sure; and
where this process is killed, so is the agent (`reasoner.platform_calls.tethered`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from agent.gamemaster.errors import PlayerError, RecordError
from agent.gamemaster.failures import FailureLog
from agent.progress import Progress, read_progress, silent
from reasoner.platform_calls import signal_group, tethered

LISTENING = "listening on "
START_SECONDS = 600.0  # the first start after an installation compiles kernels; one that ends is noticed at once
END_SECONDS = 3.0
SLOW = 5.0
"""Seconds after which people are told why nothing begins."""
COMPILING = "the players compile what playing fast needs; a first start takes some 40 seconds, later ones a few"

SERVE = (sys.executable, "-m", "agent", "serve", "--port", "0", "--player")
"""The command of a local agent; the SPEC is its last argument."""
READ_LOG = {"GGP_AGENT_LOG_FORMAT": "console"}
"""What is added to an agent's environment, so that its log is in the form that `failures` reads."""


class LocalAgent:
    """One agent's process. `url` is where it listens."""

    def __init__(self, spec: str, process: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self.spec = spec
        self.url = ""
        self._process = process
        self._log = log
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
        """Starts the process, which need not listen yet; `environment` is added to this process's own.

        Its log, and what its player prints, is added to `log_file` where one is given. Raises RecordError.
        """
        log = _log(log_file)
        process = await asyncio.create_subprocess_exec(
            *tethered((*command, spec)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # Ctrl-C reaches the manager alone, which then says ABORT
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {}), **READ_LOG},
        )
        return cls(spec, process, log)

    async def listening(self, progress: Progress = silent) -> None:
        """Waits for the line that names its address; `progress` is told of those before. Raises PlayerError."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                text = await _first_word(self._process.stdout, progress)
        except (TimeoutError, ValueError) as error:
            raise PlayerError(
                f"the player {self.spec} did not start within {START_SECONDS:g} s.{self.tail()}"
            ) from error
        if not text.startswith(LISTENING):
            raise PlayerError(f"the player {self.spec} did not start.{self.tail()}")
        self.url = text.removeprefix(LISTENING)
        self._drain = asyncio.create_task(_discard(self._process.stdout))

    def tail(self) -> str:
        """The last lines of its log, to be added to a message."""
        file = self._log.fileno()
        text = os.pread(file, os.fstat(file).st_size, 0)  # to seek would move the place where the agent writes on
        lines = text.decode("utf-8", "replace").strip().splitlines()[-5:]
        return "".join(f"\n  {line}" for line in lines)

    @property
    def pid(self) -> int:
        """The process, which is also its group."""
        return self._process.pid

    @property
    def died(self) -> bool:
        """Whether it ended by itself."""
        return self._process.returncode is not None

    async def stop(self) -> None:
        """Ends the process and all that it started."""
        try:
            signal_group(self.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), END_SECONDS)
        finally:
            self.kill()
        await self._process.wait()
        if self._drain:
            await self._drain
        if not self._log.closed:
            self.failures.read()
        self._log.close()

    def kill(self) -> None:
        """Ends the whole process group at once, whether or not its leader still lives."""
        signal_group(self.pid, signal.SIGKILL)


def log_files(folder: Path | None, names: Sequence[str]) -> list[Path | None]:
    """A file in `folder` for each player of these names, no two the same; None where no log is kept."""
    if folder is None:
        return [None] * len(names)
    words = [re.sub(r"[^A-Za-z0-9_.=+-]+", "_", name).strip("_.")[:80] or "player" for name in names]
    if len(set(words)) < len(words):
        words = [f"{index + 1}-{word}" for index, word in enumerate(words)]
    return [folder / f"{word}.log" for word in words]


def _log(path: Path | None) -> IO[bytes]:
    """The file of an agent's log; it is closed when the agent has ended. Raises RecordError."""
    if path is None:
        return tempfile.TemporaryFile()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab+")
    except OSError as error:
        raise RecordError(f"cannot write the log {path}: {error.strerror}; name another folder.") from error


async def _first_word(stream: asyncio.StreamReader, progress: Progress) -> str:
    """The first line that does not tell of compiling. Raises ValueError on one that is too long."""
    while compiled := read_progress(text := (await stream.readline()).decode("utf-8", "replace").strip()):
        progress(*compiled)
    return text


async def _discard(stream: asyncio.StreamReader) -> None:
    """Reads what nobody wants, so that the pipe never fills."""
    while await stream.read(1 << 16):
        pass


class Agents:
    """The local agents of a session, as an async context: all started together, all stopped at its end."""

    def __init__(
        self,
        specs: Sequence[str],
        command: Sequence[str] = SERVE,
        environment: Mapping[str, str] | None = None,
        progress: Progress = silent,
        logs: Sequence[Path | None] = (),
    ) -> None:
        """`logs` are the files of their logs, by agent; without any they are kept until the end alone."""
        self._progress = progress
        self._specs = specs
        self._logs = logs or [None] * len(specs)
        self._command = command
        self._environment = environment
        self.running: list[LocalAgent] = []

    async def __aenter__(self) -> list[LocalAgent]:
        """The agents, listening, in the order of the specs. Raises PlayerError."""
        try:
            for spec, log in zip(self._specs, self._logs, strict=True):
                self.running.append(await LocalAgent.launch(spec, self._command, self._environment, log))
            await asyncio.gather(*(agent.listening(self._progress) for agent in self.running))
        except BaseException:  # those that did start must not outlive the one that did not
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
