"""A build in its own process, a fork of `reasoner.compilation.__main__`; see `build_messages` for the protocol.

The process limits its own time and memory; the fork server kills it when its client is gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
import threading
import time
import traceback
from typing import BinaryIO, NoReturn

from reasoner.compilation.build_messages import (
    BaselineBuilt,
    Born,
    Built,
    Message,
    Outcome,
    PastLimit,
    Request,
    RulesAtFault,
    StageBegan,
)
from reasoner.compilation.exit_reasons import MEMORY
from reasoner.compilation.features import CountRequest, build_counts
from reasoner.compilation.heap import keep_freed_memory
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.errors import LimitError, RulesError
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.program import LaneProgram
from reasoner.platform_calls import address_space, limit_address_space, peak_memory, write_no_core

LONGEST = 1e9
"""Maximum seconds of a build: the system's timers accept no longer time."""

RECURSION = 20_000
"""The recursion limit: terms nest as deep as the parser allows, and printing or pickling one recurses."""

SEND = "send"
"""The last stage."""

_SENDING = threading.Lock()
"""Held while a message is sent: baseline code is sent in parallel with the stages."""


def serve(end: socket.socket) -> NoReturn:
    """Build what the client at the other end of the socket requests, and end this process."""
    code = 1
    try:
        sys.setrecursionlimit(RECURSION)
        with end.makefile("rb") as source, end.makefile("wb") as sink:
            request: Request = pickle.load(source)
            os.nice(request.limits.niceness)
            _limit(request.limits)
            keep_freed_memory()
            _send(sink, Born(os.getpid()))
            _send(sink, _outcome(request, sink))
        code = 0
    except (ConnectionError, EOFError):
        pass  # the client is gone
    except MemoryError:  # during the sending of the result
        code = MEMORY
    except BaseException:  # every exception is logged
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code)  # at once: freeing millions of objects would waste time


def _outcome(request: Request, sink: BinaryIO) -> Outcome:
    wanted, limits = request.wanted, request.limits

    def progress(stage: str) -> None:
        _send(sink, StageBegan(stage, time.thread_time(), peak_memory() / 2**20))

    def baseline_built(program: LaneProgram) -> None:
        _send(sink, BaselineBuilt(program, time.thread_time()))

    try:
        built: LaneProgram | CountProgram
        if isinstance(wanted, CountRequest):
            built = build_counts(wanted, limits, progress)
        else:
            built = build_circuit(wanted, limits, progress, baseline_built)
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
    """Set limits that the operating system enforces, also inside gringo."""
    limit_address_space(min(address_space() + int(limits.memory_mb) * 2**20, sys.maxsize), MEMORY)
    write_no_core()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, min(max(limits.seconds, 0.001), LONGEST))
