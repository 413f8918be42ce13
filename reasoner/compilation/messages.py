"""The protocol between a build's process and its client: a `Request` goes in, then messages come out, pickled.

First `Born`, then a `StageBegan` for each stage, with an optional `Drafted` among them, then one of `Built`,
`PastLimit` and `RulesAtFault`. Each is a frozen dataclass, so that mypy checks both ends. Both ends run this program on
one machine, and a circuit is large, so pickle is used.
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
"""In place of a stage's name: the work on a draft, in parallel with the stages from "optimize" on."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to build: the circuit of a program, or of the counts of features."""

    wanted: Program | CountRequest
    limits: BuildLimits


@dataclass(frozen=True, slots=True)
class Born:
    """The process has started."""

    process: int


@dataclass(frozen=True, slots=True)
class StageBegan:
    """Another stage begins; the earlier ones took `seconds` of processor time and at most `memory` resident MiB."""

    name: str
    seconds: float
    memory: float


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft, which can play until the result comes, and the processor time that it took."""

    program: LaneProgram
    seconds: float


@dataclass(frozen=True, slots=True)
class Built:
    """The result."""

    program: LaneProgram | CountProgram


@dataclass(frozen=True, slots=True)
class PastLimit:
    """The build exceeded a limit, named as in LimitError."""

    message: str
    limit: str


@dataclass(frozen=True, slots=True)
class RulesAtFault:
    """The rules cannot be built; only grounding detects it."""

    diagnostics: Sequence[Diagnostic]


Outcome = Built | PastLimit | RulesAtFault
Message = Born | StageBegan | Drafted | Outcome
