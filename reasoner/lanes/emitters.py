"""Which emitter makes the code: native where this machine can run it, else portable; or the one that is asked for."""

from __future__ import annotations

from functools import cache

from reasoner.errors import ReasonerError
from reasoner.lanes import native, portable
from reasoner.lanes.emitted import Code
from reasoner.lanes.lane_graph import LaneGraph

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


def emit(graph: LaneGraph, emitter: str | None) -> Code:
    """The code of a lane graph. Raises ReasonerError where native lanes are asked for and cannot be had."""
    if emitter not in (None, *EMITTERS):
        raise ReasonerError(f"no emitter {emitter!r}; there are {', '.join(EMITTERS)}, or None for the best")
    reason = why_portable() if emitter != "portable" else ""
    if reason is None:
        return native.emit(graph)
    if emitter == "native":
        raise ReasonerError(f"no native lanes here: {reason}; leave the emitter out, or ask for portable ones")
    return portable.emit(graph)
