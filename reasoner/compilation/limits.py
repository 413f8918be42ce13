"""How far a build may go, and what it makes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Limits of one build; past any of them it ends with LimitError.

    `seconds` of wall time, `memory_mb` of address space of the child process, ground rules, and gates.
    `emitter` makes the code: one of `reasoner.lanes.emitters.EMITTERS`, or None for the best that this machine runs.
    `draft_from`: gates from which on a first program is made before the circuit is optimized; None: never.
    `rewritings` are the names of those that are switched on (`reasoner.rewrite.optional.IN_PLAY`).
    """

    seconds: float = 60.0
    memory_mb: int = 4096
    ground_rules: int = 20_000_000
    gates: int = 10_000_000
    emitter: str | None = None
    rewritings: tuple[str, ...] = ()
    draft_from: int | None = None
