"""Which emitter makes the code: native where this machine can run it, else portable; or the one that is asked for."""

from __future__ import annotations

from functools import cache

from reasoner.errors import ReasonerError
from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.loaded import Code

PORTABLE = "portable"

EMITTERS = (*dict.fromkeys(target.name for target in native.TARGETS), PORTABLE)
"""All that there are, the best first: one a kind of processor, and one for any."""


@cache
def found(emitter: str) -> native.Target | str:
    """The target of this name that this machine runs best, or what keeps the machine from it."""
    reasons = []
    for target in native.TARGETS:
        if target.name == emitter:
            reason = target.missing() or _refused(target)
            if reason is None:
                return target
            reasons.append(reason)
    return reasons[-1]


def _refused(target: native.Target) -> str | None:
    """Why the system does not let this process execute code that it has written, or None."""
    try:
        native.Executable(target.empty)
    except native.ExecutableMemoryError as error:
        return str(error)
    return None


def why_not(emitter: str) -> str | None:
    """What keeps this machine from an emitter, one of EMITTERS, or None."""
    here = None if emitter == PORTABLE else found(emitter)
    return here if isinstance(here, str) else None


def best() -> str:
    """The emitter that is taken where none is asked for."""
    return next(emitter for emitter in EMITTERS if why_not(emitter) is None)


def others() -> list[str]:
    """Those that this machine runs besides the best."""
    return [emitter for emitter in EMITTERS if why_not(emitter) is None and emitter != best()]


def why_portable() -> str | None:
    """What keeps this machine from native lanes, or None."""
    if best() != PORTABLE:
        return None
    reasons = {emitter: why_not(emitter) for emitter in EMITTERS if emitter != PORTABLE}
    return "; ".join(f"{emitter}: {reason}" for emitter, reason in reasons.items())


def check_emitter(emitter: str | None) -> None:
    """Raise ReasonerError where an emitter is asked for that cannot be had."""
    if emitter is None:
        return
    if emitter not in EMITTERS:
        raise ReasonerError(f"no emitter {emitter!r}; there are {', '.join(EMITTERS)}, or None for the best")
    if (reason := why_not(emitter)) is not None:
        raise ReasonerError(f"no {emitter} lanes here: {reason}; leave the choice open, or ask for {best()} ones")


def emit(graph: LaneGraph, emitter: str | None, *, draft: bool = False) -> Code:
    """The code of a lane graph, a draft of it in less time. Raises ReasonerError as `check_emitter`."""
    check_emitter(emitter)
    target = None if (chosen := emitter or best()) == PORTABLE else found(chosen)
    return native.emit(graph, target, draft=draft) if isinstance(target, native.Target) else portable.emit(graph)


def makes_native(emitter: str | None) -> bool:
    """Whether native code is made. Raises ReasonerError as `check_emitter`."""
    check_emitter(emitter)
    return (emitter or best()) != PORTABLE
