"""A build, in a process of its own that the nursery forked: a request comes in, messages go out.

The request is a pickled pair: what to build, a Program or a CountRequest, and limits. Messages are pickled pairs:
``("born", process)``, then ``("stage", (name, CPU seconds so far))`` as each stage begins, then one of
``("built", LaneProgram or CountProgram)``, ``("limit", (message, limit))``, ``("rules", diagnostics)``. The process
limits itself; the nursery ends it when nobody waits for it any more.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import BinaryIO, NoReturn

from reasoner.compilation.exit_reasons import MEMORY
from reasoner.compilation.features import CountRequest, build_counts
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.errors import LimitError, RulesError
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.program import LaneProgram
from reasoner.rules.program import Program

RECURSION = 20_000
"""Terms nest as deep as the reader allows, and printing or pickling one recurses."""

SEND = "send"
"""The stage after all others."""


def serve(end: socket.socket) -> NoReturn:
    """Build what is asked for at the other end of the socket, and end this process."""
    code = 1
    try:
        sys.setrecursionlimit(RECURSION)
        with end.makefile("rb") as source, end.makefile("wb") as sink:
            wanted, limits = pickle.load(source)
            _limit(limits)
            _send(sink, "born", os.getpid())
            _send(sink, *_result(wanted, limits, sink))
        code = 0
    except ConnectionError:
        pass  # nobody waits for it any more
    except MemoryError:  # while the result was being sent
        code = MEMORY
    except BaseException:  # whatever it is, it must not come back into the nursery's loop
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code)  # at once: to take millions of objects apart is a waste


def _result(wanted: Program | CountRequest, limits: BuildLimits, sink: BinaryIO) -> tuple[str, object]:
    def progress(stage: str) -> None:
        _send(sink, "stage", (stage, time.process_time()))

    try:
        built: LaneProgram | CountProgram
        if isinstance(wanted, CountRequest):
            built = build_counts(wanted, limits, progress)
        else:
            built = build_circuit(wanted, limits, progress)
        progress(SEND)
        return "built", built
    except LimitError as error:
        return "limit", (str(error), error.limit)
    except RulesError as error:
        return "rules", error.diagnostics
    except MemoryError:
        return "limit", (f"building the circuit needs more than {limits.memory_mb:,} MB of memory", "memory")


def _send(sink: BinaryIO, kind: str, value: object) -> None:
    pickle.dump((kind, value), sink, protocol=pickle.HIGHEST_PROTOCOL)
    sink.flush()


def _limit(limits: BuildLimits) -> None:
    """Let the operating system end what goes past its limits, also inside gringo."""
    size = _address_space() + limits.memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):  # where there is no such file, nothing is lost
        Path("/proc/self/oom_score_adj").write_text("500")  # this process before the agent, if one must go
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(limits.seconds, 0.001))


def _address_space() -> int:
    """Bytes of address space that this process has before it begins: libraries and compiled code."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
