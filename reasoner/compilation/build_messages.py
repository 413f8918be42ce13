"""The protocol between a build's process and its client: the client sends a `Request`, the process sends messages.

The process first sends `Born`, then a `StageBegan` for each stage, with an optional `BaselineBuilt` among them, then
one of `Built`, `PastLimit` and `RulesAtFault`. Each message is a frozen dataclass, so that mypy checks both ends.
Messages are pickled, because a circuit is large and both ends run the same program on one machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoner.compilation.features import CountRequest
from reasoner.compilation.limits import BuildLimits
from reasoner.diagnostics import Diagnostic
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.program import LaneProgram
from reasoner.rules.program import Program

BASELINE_CODE = "baseline code"
"""The stage's name for the work on baseline code, which runs in parallel with the stages from "optimize" on."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for the circuit of a program, or for the circuit that counts features."""

    wanted: Program | CountRequest
    limits: BuildLimits


@dataclass(frozen=True, slots=True)
class Born:
    """The process has started."""

    process: int


@dataclass(frozen=True, slots=True)
class StageBegan:
    """A stage begins; the build has taken `seconds` of processor time and at most `memory` MiB of resident memory."""

    name: str
    seconds: float
    memory: float


@dataclass(frozen=True, slots=True)
class BaselineBuilt:
    """Baseline code, which can play until the result is ready, and the processor time it took."""

    program: LaneProgram
    seconds: float


@dataclass(frozen=True, slots=True)
class Built:
    """The build is complete, with the resulting program."""

    program: LaneProgram | CountProgram


@dataclass(frozen=True, slots=True)
class PastLimit:
    """The build exceeded a limit, named as in LimitError."""

    message: str
    limit: str


@dataclass(frozen=True, slots=True)
class RulesAtFault:
    """The rules are not stratified, a fault that only grounding detects."""

    diagnostics: Sequence[Diagnostic]


Outcome = Built | PastLimit | RulesAtFault
Message = Born | StageBegan | BaselineBuilt | Outcome
