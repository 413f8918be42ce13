"""The parent's side of a build: start it, ask how it goes, take its result or end it."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO, cast

from reasoner.build.limits import BuildLimits
from reasoner.errors import LimitError, ReasonerError, RulesError
from reasoner.lanes.program import LaneProgram
from reasoner.rules.program import Program

ROOT = Path(__file__).parents[2]
"""Where the child finds the packages, installed or not."""

LINGER = 5.0
"""Seconds a child may take to exit once its output is closed; how it exits says what went wrong."""


class CircuitBuild:
    """A build under way. It begins at once, in a process of its own, and never blocks the caller."""

    def __init__(self, program: Program, limits: BuildLimits) -> None:
        self.limits = limits
        self.stage = "start"
        self._cancelled = False
        self._built: LaneProgram | None = None
        self._error: ReasonerError | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-m", "reasoner.build.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])},
        )
        self._reader = threading.Thread(target=self._read, args=(program,), daemon=True)
        self._reader.start()

    def ready(self) -> bool:
        """Whether `result` answers at once."""
        return not self._reader.is_alive()

    def result(self, timeout: float | None = None) -> LaneProgram:
        """The circuit. Raises LimitError past a limit (or `timeout` seconds from now), RulesError if unstratified."""
        self._reader.join(timeout)
        if not self.ready():
            raise LimitError(f"the circuit is not built after {timeout:g} s", limit="time")
        if self._error:
            raise self._error
        assert self._built is not None  # the reader sets one of the two before it ends
        return self._built

    def cancel(self) -> None:
        """End the build, whatever it does; `result` then raises LimitError."""
        self._cancelled = True
        self._process.kill()
        self._reader.join()

    def _read(self, program: Program) -> None:
        """Exchange messages with the child until it ends; runs in the reader's thread."""
        try:
            self._talk(program, cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout))
        except (OSError, EOFError, pickle.UnpicklingError):
            pass  # the child is gone; how it ended says why
        finally:
            code = self._end()
            for stream in (self._process.stdin, self._process.stdout):
                cast(BinaryIO, stream).close()
            if self._built is None and self._error is None:
                self._error = self._died(code)

    def _talk(self, program: Program, to_child: BinaryIO, from_child: BinaryIO) -> None:
        pickle.dump((program, self.limits), to_child)
        to_child.flush()
        while self._built is None and self._error is None:
            kind, value = pickle.load(from_child)
            if kind == "stage":
                self.stage = value
            elif kind == "circuit":
                self._built = value
            else:
                self._error = LimitError(*value) if kind == "limit" else RulesError(value)

    def _end(self) -> int:
        """The exit code of the child, which has answered or closed its output."""
        if self._built is not None or self._error is not None:
            self._process.kill()
        try:
            return self._process.wait(LINGER)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _died(self, code: int) -> LimitError:
        if code == -signal.SIGALRM:
            return LimitError(f"building the circuit took more than {self.limits.seconds:g} s", limit="time")
        if self._cancelled:
            return LimitError("building the circuit was cancelled", limit="time")
        return LimitError(
            f"building the circuit failed in stage {self.stage} (exit {code}), most likely for want of memory "
            f"({self.limits.memory_mb:,} MB)",
            limit="memory",
        )
