"""What passes between a build's process and who waits for it: a `Request` goes in, then messages come out, pickled.

First `Born`, then a `StageBegan` for each stage, among them perhaps a `Drafted`, then one of `Built`, `PastLimit` and
`RulesAtFault`. Each is a frozen dataclass, so that mypy sees both ends. Both ends are this program on one machine, and
a circuit is large: hence pickle.
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

DRAFT = "draft"
"""In place of a stage's name: the work on a first program, which is done beside the stages from "optimize" on."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to build: the circuit of a program, or of the counts of features."""

    wanted: Program | CountRequest
    limits: BuildLimits


@dataclass(frozen=True, slots=True)
class Born:
    """The process is there."""

    process: int


@dataclass(frozen=True, slots=True)
class StageBegan:
    """Another stage begins; those before took `seconds` of processor time, and at most `memory` MiB were resident."""

    name: str
    seconds: float
    memory: float


@dataclass(frozen=True, slots=True)
class Drafted:
    """A first program, which can play until the result comes; making it took so much processor time."""

    program: LaneProgram
    seconds: float


@dataclass(frozen=True, slots=True)
class Built:
    """The result."""

    program: LaneProgram | CountProgram


@dataclass(frozen=True, slots=True)
class PastLimit:
    """The build went past a limit, which is named as in LimitError."""

    message: str
    limit: str


@dataclass(frozen=True, slots=True)
class RulesAtFault:
    """The rules cannot be built; only grounding shows it."""

    diagnostics: Sequence[Diagnostic]


Outcome = Built | PastLimit | RulesAtFault
Message = Born | StageBegan | Drafted | Outcome
