"""Errors for a build whose process ended without a result: the meaning of its exit code, and what to do."""

from __future__ import annotations

import signal

from reasoner.compilation.limits import BuildLimits
from reasoner.errors import LimitError

MEMORY = 3
"""The exit code of a process that ran out of memory."""

LOST = 256
"""The exit code of a process that disappeared, so that its real exit code is unknown."""

REPORT = "a bug of this program, not a fault of the rules: please report it with the rulesheet"


def exit_reason(code: int, stage: str, limits: BuildLimits) -> LimitError:
    """Return the error for a build that ended with `code` in `stage`; a negative code is a signal's number."""
    if code == -signal.SIGALRM:
        return LimitError(f"building the circuit took more than {limits.seconds:g} s", limit="time")
    if code in (MEMORY, -signal.SIGABRT):  # C++ aborts when memory is exhausted
        return LimitError(
            f"building the circuit needs more than {limits.memory_mb:,} MB of memory in stage {stage}", limit="memory"
        )
    if code == -signal.SIGKILL:
        return LimitError(
            f"the system killed the build of the circuit in stage {stage}, most likely because the machine ran out of "
            f"memory; the build may use {limits.memory_mb:,} MB: lower this limit, or play on a larger machine",
            limit="memory",
        )
    if code == LOST:
        return LimitError(f"the process that built the circuit was lost in stage {stage}", limit="crash")
    if code > 0:
        return LimitError(
            f"building the circuit failed in stage {stage} (exit {code}); the log says why. This is {REPORT}",
            limit="crash",
        )
    return LimitError(f"building the circuit crashed in stage {stage} ({_name(-code)}), {REPORT}", limit="crash")


def _name(number: int) -> str:
    """Return the name of a signal, such as ``SIGSEGV``; ``signal N`` if Python has no name for the number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
