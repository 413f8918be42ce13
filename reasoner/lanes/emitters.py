"""Which emitter makes the code: native where this machine can run it, else portable; or the one that is asked for."""

from __future__ import annotations

from functools import cache

from reasoner.errors import ReasonerError
from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.loaded import Code

EMITTERS = ("native", "portable")

RETURN = b"\xc3"


@cache
def why_portable() -> str | None:
    """What keeps this machine from native lanes, or None."""
    reason = native.missing()
    if reason is None:
        try:
            native.Executable(RETURN)
        except native.ExecutableMemoryError as error:
            reason = str(error)
    return reason


def check_emitter(emitter: str | None) -> None:
    """Raise ReasonerError where an emitter is asked for that cannot be had."""
    if emitter not in (None, *EMITTERS):
        raise ReasonerError(f"no emitter {emitter!r}; there are {', '.join(EMITTERS)}, or None for the best")
    if emitter == "native" and why_portable() is not None:
        raise ReasonerError(f"no native lanes here: {why_portable()}; leave the choice open, or ask for portable ones")


def emit(graph: LaneGraph, emitter: str | None, *, draft: bool = False) -> Code:
    """The code of a lane graph, a draft of it in less time. Raises ReasonerError as `check_emitter`."""
    return native.emit(graph, draft=draft) if makes_native(emitter) else portable.emit(graph)


def makes_native(emitter: str | None) -> bool:
    """Whether native code is made. Raises ReasonerError as `check_emitter`."""
    check_emitter(emitter)
    return emitter != "portable" and why_portable() is None
