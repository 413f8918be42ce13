"""The parent's side of a build: start it, follow its progress, and receive its result or cancel it."""

from __future__ import annotations

import contextlib
import pickle
import signal
import socket
import threading
from collections.abc import Callable
from typing import Generic, TypeVar, assert_never, cast

from reasoner.compilation.build_messages import (
    BASELINE_CODE,
    BaselineBuilt,
    Born,
    Built,
    Message,
    PastLimit,
    Request,
    RulesAtFault,
    StageBegan,
)
from reasoner.compilation.exit_reasons import LOST, exit_reason
from reasoner.compilation.features import CountRequest
from reasoner.compilation.limits import BuildLimits
from reasoner.errors import LimitError, RulesError
from reasoner.fork_server import Forks
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.program import LaneProgram
from reasoner.rules.program import Program

Result = TypeVar("Result", LaneProgram, CountProgram)

START = "start"
"""The stage's name before the first stage begins."""

CODE = 16
"""Maximum bytes of an exit code as text."""

PROCESSES = Forks("reasoner.compilation")
"""The fork server of builds; started by the first build of a process, or ahead of time by `reasoner.warm_up`."""


class _Build(Generic[Result]):
    """A running build. The constructor starts it in a child process and does not wait for it.

    Raises LimitError if the system provides no process, file or thread for the build.
    `progress` is called with the name of each stage as it begins, in the thread that reads from the process. An
    exception that it raises ends the build; `result` raises it again.
    """

    def __init__(
        self, wanted: Program | CountRequest, limits: BuildLimits, progress: Callable[[str], None] | None = None
    ) -> None:
        self.limits = limits
        self._progress = progress
        self.stage = START
        self.seconds: dict[str, float] = {}  # CPU seconds of the finished stages and of the baseline code
        self.memory = 0.0  # peak resident MiB of the process in these stages, including shared memory
        self._stage_began = 0.0
        self._process: int | None = None
        self._born = threading.Event()
        self._cancelled = False
        self._baseline: LaneProgram | None = None
        self._some = threading.Event()  # there is baseline code or a result, or the build is over
        self._built: Result | None = None
        self._error: Exception | None = None
        try:
            self._talk, self._life = PROCESSES.fork()
        except OSError as error:
            raise _no_room(error.strerror or str(error)) from error
        self._reader = threading.Thread(target=self._read, args=(Request(wanted, limits),), daemon=True)
        try:
            self._reader.start()
        except RuntimeError as error:
            self._talk.close()
            self._life.close()
            raise _no_room(str(error)) from error

    def ready(self) -> bool:
        """Whether `result` returns at once."""
        return not self._reader.is_alive()

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the result and return it.

        Raises LimitError if a limit is exceeded or after `timeout` seconds, RulesError if the rules are not stratified.
        """
        self._reader.join(timeout)
        if not self.ready():
            raise LimitError(f"the circuit is not built after {timeout:g} s", limit="time")
        if self._error:
            raise self._error
        assert self._built is not None  # the reader sets one of the two before it ends
        return self._built

    def born(self) -> int | None:
        """Wait until the build's process has started, and return its id; None if the build ended without a process."""
        self._born.wait()
        return self._process

    def cancel(self) -> None:
        """Cancel the build; `result` then raises LimitError."""
        self._cancelled = True
        with contextlib.suppress(OSError):  # the build is over
            self._talk.shutdown(socket.SHUT_RDWR)
            self._life.shutdown(socket.SHUT_WR)
        self._reader.join()

    def _read(self, request: Request) -> None:
        """Exchange messages with the child until it ends; runs in the reader's thread."""
        with self._talk, self._life:
            try:
                self._exchange(request)
            except (OSError, EOFError, pickle.UnpicklingError):
                pass  # the child is gone; its exit code explains why
            except MemoryError:
                self._error = LimitError("there is not enough memory to receive the built circuit", limit="memory")
            if self._built is None and self._error is None:
                self._error = self._died(self._exit_code())
        self._born.set()
        self._some.set()

    def _exchange(self, request: Request) -> None:
        with self._talk.makefile("wb") as to_child, self._talk.makefile("rb") as from_child:
            pickle.dump(request, to_child)
            to_child.flush()
            while self._built is None and self._error is None:
                self._hear(pickle.load(from_child))

    def _hear(self, message: Message) -> None:
        match message:
            case Born(process):
                self._process = process
                self._born.set()
            case StageBegan(name, seconds, memory):
                self.memory = memory
                self._stage_begins(name, seconds)
            case BaselineBuilt(program, seconds):
                self._baseline, self.seconds[BASELINE_CODE] = program, seconds
                self._some.set()
            case Built(program):
                self._built = cast("Result", program)  # the type that was requested
            case PastLimit(text, limit):
                self._error = LimitError(text, limit)
            case RulesAtFault(diagnostics):
                self._error = RulesError(diagnostics)
            case _:
                assert_never(message)

    def _stage_begins(self, name: str, seconds: float) -> None:
        """Record that stage `name` begins, at `seconds` of the process's CPU time."""
        if self.stage != START:
            self.seconds[self.stage] = seconds - self._stage_began
        self.stage, self._stage_began = name, seconds
        if self._progress is not None:
            try:
                self._progress(name)
            except Exception as error:  # the caller's; `result` raises it
                self._error = error

    def _exit_code(self) -> int:
        """Return the exit code of the child, which has closed its output."""
        if self._cancelled:
            return LOST
        try:
            return int(self._life.recv(CODE))
        except (OSError, ValueError):
            return LOST

    def _died(self, code: int) -> LimitError:
        if self._cancelled and code != -signal.SIGALRM:
            return LimitError("building the circuit was cancelled", limit="time")
        return exit_reason(code, self.stage, self.limits)


def _no_room(reason: str) -> LimitError:
    return LimitError(f"no process can be started to build the circuit: {reason}", limit="process")


class CircuitBuild(_Build[LaneProgram]):
    """A build of a game's circuit; for a large circuit baseline code is ready first, if the limits request it."""

    def __init__(self, program: Program, limits: BuildLimits, progress: Callable[[str], None] | None = None) -> None:
        super().__init__(program, limits, progress)

    def baseline_code(self, wait: float = 0.0) -> LaneProgram | None:
        """Return code that can play until the result is ready, or None. Waits for it, at most `wait` seconds.

        The wait ends when the build ends.
        """
        if self._some.wait(max(wait, 0.0)) and self._baseline is None:
            self._reader.join()  # the build is over
        return self._baseline


class CountBuild(_Build[CountProgram]):
    """A build of the circuit that counts some features."""

    def __init__(self, wanted: CountRequest, limits: BuildLimits) -> None:
        super().__init__(wanted, limits)
