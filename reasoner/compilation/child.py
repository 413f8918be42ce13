"""A build, in a process of its own, a fork of `reasoner.compilation.__main__`: see `messages` for what passes.

The process limits itself; the fork server ends it when nobody waits for it any more.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import socket
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import BinaryIO, NoReturn

from reasoner.compilation.exit_reasons import MEMORY
from reasoner.compilation.features import CountRequest, build_counts
from reasoner.compilation.heap import keep_freed_memory
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.messages import (
    Born,
    Built,
    Drafted,
    Message,
    Outcome,
    PastLimit,
    Request,
    RulesAtFault,
    StageBegan,
)
from reasoner.compilation.stages import build_circuit
from reasoner.errors import LimitError, RulesError
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.program import LaneProgram

RECURSION = 20_000
"""Terms nest as deep as the reader allows, and printing or pickling one recurses."""

SEND = "send"
"""The stage after all others."""

_SENDING = threading.Lock()
"""A first program is sent while stages go on."""


def serve(end: socket.socket) -> NoReturn:
    """Build what is asked for at the other end of the socket, and end this process."""
    code = 1
    try:
        sys.setrecursionlimit(RECURSION)
        with end.makefile("rb") as source, end.makefile("wb") as sink:
            request: Request = pickle.load(source)
            _limit(request.limits)
            keep_freed_memory()
            _send(sink, Born(os.getpid()))
            _send(sink, _outcome(request, sink))
        code = 0
    except ConnectionError:
        pass  # nobody waits for it any more
    except MemoryError:  # while the result was being sent
        code = MEMORY
    except BaseException:  # whatever it is, the log says it
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code)  # at once: to take millions of objects apart is a waste


def _outcome(request: Request, sink: BinaryIO) -> Outcome:
    wanted, limits = request.wanted, request.limits

    def progress(stage: str) -> None:
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10  # Linux counts KiB
        _send(sink, StageBegan(stage, time.thread_time(), resident))

    def drafted(program: LaneProgram) -> None:
        _send(sink, Drafted(program, time.thread_time()))

    try:
        built: LaneProgram | CountProgram
        if isinstance(wanted, CountRequest):
            built = build_counts(wanted, limits, progress)
        else:
            built = build_circuit(wanted, limits, progress, drafted)
        progress(SEND)
        return Built(built)
    except LimitError as error:
        return PastLimit(str(error), error.limit)
    except RulesError as error:
        return RulesAtFault(error.diagnostics)
    except MemoryError:
        return PastLimit(f"building the circuit needs more than {limits.memory_mb:,} MB of memory", "memory")


def _send(sink: BinaryIO, message: Message) -> None:
    with _SENDING:
        pickle.dump(message, sink, protocol=pickle.HIGHEST_PROTOCOL)
        sink.flush()


def _limit(limits: BuildLimits) -> None:
    """Let the operating system end what goes past its limits, also inside gringo."""
    size = _address_space() + limits.memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(limits.seconds, 0.001))


def _address_space() -> int:
    """Bytes of address space that this process has before it begins: libraries and compiled code."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
