"""Selection of the emitter: the requested one, by default native if this machine runs native code, else portable."""

from __future__ import annotations

from functools import cache

from reasoner.errors import ReasonerError
from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.loaded import Code

PORTABLE = "portable"

EMITTERS = (*dict.fromkeys(target.name for target in native.TARGETS), PORTABLE)
"""All emitters, the best first: one for each kind of processor, and one for any machine."""


@cache
def found(emitter: str) -> native.Target | str:
    """The best target with the name `emitter` that this machine runs, or the reason why it runs none."""
    reasons = []
    for target in native.TARGETS:
        if target.name == emitter:
            reason = target.missing() or _refused(target)
            if reason is None:
                return target
            reasons.append(reason)
    return reasons[-1]


def _refused(target: native.Target) -> str | None:
    """The reason why the system does not let this process execute code that it has written; None if it does."""
    try:
        native.Executable(target.empty)
    except native.ExecutableMemoryError as error:
        return str(error)
    return None


def why_not(emitter: str) -> str | None:
    """The reason why this machine cannot run an emitter, one of EMITTERS; None if it can."""
    here = None if emitter == PORTABLE else found(emitter)
    return here if isinstance(here, str) else None


def best() -> str:
    """The emitter used by default."""
    return next(emitter for emitter in EMITTERS if why_not(emitter) is None)


def others() -> list[str]:
    """The emitters that this machine runs, except the best one."""
    return [emitter for emitter in EMITTERS if why_not(emitter) is None and emitter != best()]


def why_portable() -> str | None:
    """The reasons why this machine cannot run native lanes; None if it can."""
    if best() != PORTABLE:
        return None
    reasons = {emitter: why_not(emitter) for emitter in EMITTERS if emitter != PORTABLE}
    return "; ".join(f"{emitter}: {reason}" for emitter, reason in reasons.items())


def check_emitter(emitter: str | None) -> None:
    """Raise ReasonerError if the requested emitter is unknown or cannot run here."""
    if emitter is None:
        return
    if emitter not in EMITTERS:
        raise ReasonerError(f"unknown emitter {emitter!r}: choose {', '.join(EMITTERS)}, or None for the best")
    if (reason := why_not(emitter)) is not None:
        raise ReasonerError(f"this machine cannot run {emitter} lanes: {reason}; choose None or {best()}")


def emit(graph: LaneGraph, emitter: str | None, *, baseline: bool = False) -> Code:
    """Compile a lane graph; baseline code is compiled faster. Raises ReasonerError like `check_emitter`."""
    check_emitter(emitter)
    target = None if (chosen := emitter or best()) == PORTABLE else found(chosen)
    return native.emit(graph, target, baseline=baseline) if isinstance(target, native.Target) else portable.emit(graph)
