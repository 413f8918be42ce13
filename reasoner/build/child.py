"""The child process of a build: reads a pickled program, writes pickled messages.

Messages are pairs: ``("stage", name)`` as each stage begins, then one of ``("circuit", LaneProgram)``,
``("limit", (message, limit))``, ``("rules", diagnostics)``. The process limits itself, and ends when its standard
input closes, which also happens when the parent dies.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import sys
import threading
from typing import BinaryIO

from reasoner.build.limits import BuildLimits
from reasoner.build.stages import build_circuit
from reasoner.errors import LimitError, RulesError
from reasoner.rules.program import Program

RECURSION = 20_000
"""Terms nest as deep as the reader allows, and printing or pickling one recurses."""


def main() -> None:
    """Build what standard input asks for."""
    sys.setrecursionlimit(RECURSION)
    gc.disable()  # millions of tuples live to the end and hold no cycles; looking for some costs a fifth of the build
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not mix with the messages
    program, limits = pickle.load(sys.stdin.buffer)
    _limit(limits)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _send(output, *_result(program, limits, output))


def _result(program: Program, limits: BuildLimits, output: BinaryIO) -> tuple[str, object]:
    try:
        return "circuit", build_circuit(program, limits, lambda stage: _send(output, "stage", stage))
    except LimitError as error:
        return "limit", (str(error), error.limit)
    except RulesError as error:
        return "rules", error.diagnostics
    except (MemoryError, RuntimeError):  # clingo reports a failed allocation as either
        return "limit", (f"building the circuit needs more than {limits.memory_mb:,} MB of memory", "memory")


def _send(output: BinaryIO, kind: str, value: object) -> None:
    pickle.dump((kind, value), output, protocol=pickle.HIGHEST_PROTOCOL)
    output.flush()


def _limit(limits: BuildLimits) -> None:
    """Let the operating system end what goes past its limits, also inside gringo."""
    size = limits.memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(limits.seconds, 0.001))


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main()
