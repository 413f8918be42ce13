"""Limits and options of a build."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Limits of one build; exceeding any of them ends it with LimitError.

    The limits are `seconds` of wall time, `memory_mb` of the child process's address space, ground rules, and gates.
    `emitter` generates the code: one of `reasoner.lanes.emitters.EMITTERS`, or None for the best on this machine.
    `baseline_from_gates` is the number of gates from which baseline code is emitted before the circuit is optimized;
    None: never. `rewritings` are the names of enabled rewritings (`reasoner.rewrite.optional.IN_PLAY`). `niceness` is
    added to that of the process, 0 to 19; the higher, the more other processes go first.
    """

    seconds: float = 60.0
    memory_mb: int = 4096
    ground_rules: int = 20_000_000
    gates: int = 10_000_000
    emitter: str | None = None
    rewritings: tuple[str, ...] = ()
    baseline_from_gates: int | None = None
    niceness: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for a limit that is not a positive number; infinity means no limit of time."""
        for name in ("seconds", "memory_mb", "ground_rules", "gates"):
            value, whole = getattr(self, name), name != "seconds"
            if not isinstance(value, Integral if whole else Real) or not float(value) > 0:
                wanted = "whole number" if whole else "number"
                raise ValueError(f"BuildLimits({name}={value!r:.40}): give a positive {wanted}")
