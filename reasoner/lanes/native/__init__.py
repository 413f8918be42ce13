"""Native emitter: sections as machine code for the processors in `targets`.

A section passes through the files in this order: `section_aig` (its gates, rebuilt), `cuts` and `lut_mapping` (a cover
of three-input tables), `section_outputs` (what stays in memory), `lut_order`, `allocate` with `registers`,
`lut_instructions` and `lut_steps` (tables to `instructions`), the target's encoder (instructions to bytes). `emit` runs
them all; `code` is the result, loaded into executable `memory`.
"""

from __future__ import annotations

from reasoner.lanes.native.code import NativeCode
from reasoner.lanes.native.emit import emit
from reasoner.lanes.native.memory import Executable, ExecutableMemoryError
from reasoner.lanes.native.targets import TARGETS, Target

__all__ = ["TARGETS", "Executable", "ExecutableMemoryError", "NativeCode", "Target", "emit"]
