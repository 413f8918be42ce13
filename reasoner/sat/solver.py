"""Client of the solver process: messages are queued until the process reads them, and no call blocks.

If the process ends early (killed, out of memory or out of time), no further answers come; there is no other effect.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints
from reasoner.fork_server import command, environment
from reasoner.sat.child import Kind, Verdict

__all__ = ["MIN_MEBIBYTES", "Answer", "LostError", "Solver", "Verdict"]

OPTIONS = ("--configuration=frumpy",)
"""The fastest clingo configuration on unrolled games."""

MIN_MEBIBYTES = 512
"""Minimum address space of a process in mebibytes; the libraries need most of it."""

CHILD = "reasoner.sat.child"

MAX_QUEUED_BYTES = 256 * 2**20
"""Maximum bytes in the queue; with more, the process counts as lost."""


class LostError(Exception):
    """The solver process did not start, was killed, or exceeded its memory or time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question: YES with the true free variables, NO, or UNKNOWN if its time was too short."""

    verdict: Verdict
    true: tuple[int, ...]


class Solver:
    """Client of one solver process. Variables are numbered from 1, a literal is ±variable; see `reasoner.sat.child`.

    The process is limited to `megabytes` of memory and `seconds` of processor time; `options` are clingo options.
    """

    def __init__(self, megabytes: int, seconds: int, options: Sequence[str] = OPTIONS) -> None:
        self.lost = False  # whether the process has ended: no further answer will come
        self._waiting = bytearray()
        self._heard = bytearray()
        child = command(CHILD, str(megabytes), str(seconds), *options)
        try:
            self._process = subprocess.Popen(
                child,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError:  # the system did not start a process
            self.lost = True
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def free(self, variables: Ints) -> None:
        """Add free variables."""
        self._send(Kind.FREE, variables)

    def gates(self, gates: Ints) -> None:
        """Add variables that are conjunctions.  # [gates, 3] the variable and two literals."""
        self._send(Kind.GATES, gates.reshape(-1))

    def clauses(self, clauses: Sequence[Sequence[int]]) -> None:
        """Add clauses: at least one literal of each clause is true."""
        self._send(Kind.CLAUSES, np.array([each for clause in clauses for each in (*clause, 0)], np.int32))

    def at_least(self, variable: int, count: int, literals: Sequence[int]) -> None:
        """Define `variable` as "at least `count` literals are true"; if `variable` is 0, fewer must be true."""
        self._send(Kind.COUNT, np.array([variable, count, *literals], np.int32))

    def solve(self, seconds: float, assumed: Sequence[int] = ()) -> None:
        """Ask whether the clauses are satisfiable under assumed literals; `poll` returns one answer per question."""
        self._send(Kind.SOLVE, np.array([max(1, min(int(seconds * 1000), 10**8)), *assumed], np.int32))

    def poll(self) -> Answer | None:
        """Return the next answer, None if there is none yet; set `lost` if the process has ended."""
        if self.lost:
            return None
        self._write()
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._out, 1 << 16):
                self._heard += data
            self.close()
        return self._answer()

    def close(self) -> None:
        """End the process."""
        if self.lost:
            return
        self.lost = True
        self._waiting.clear()
        self._process.kill()
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                with contextlib.suppress(OSError):
                    end.close()
        self._process.wait()

    def __del__(self) -> None:
        if not getattr(self, "lost", True):
            self.close()

    def _send(self, kind: Kind, numbers: Ints) -> None:
        if self.lost or not (len(numbers) or kind is Kind.SOLVE):
            return
        self._waiting += np.array([kind, len(numbers)], np.int32).tobytes() + numbers.astype(np.int32).tobytes()
        if len(self._waiting) > MAX_QUEUED_BYTES:
            self.close()
        else:
            self._write()

    def _write(self) -> None:
        try:
            while self._waiting:
                del self._waiting[: os.write(self._in, self._waiting[: 1 << 20])]
        except BlockingIOError:
            pass
        except OSError:  # the process has ended; its earlier output may still be read
            self._waiting.clear()

    def _answer(self) -> Answer | None:
        if len(self._heard) < 8:
            return None
        verdict, count = np.frombuffer(bytes(self._heard[:8]), np.int32).tolist()
        end = 8 + 4 * count
        if len(self._heard) < end:
            return None
        true = np.frombuffer(bytes(self._heard[8:end]), np.int32).tolist()
        del self._heard[:end]
        return Answer(Verdict(verdict), tuple(true))
