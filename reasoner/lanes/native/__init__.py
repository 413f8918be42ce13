"""The native emitter: sections as machine code for the processors in `targets`.

As a section passes through the files: `section_aig` (its gates, rebuilt), `cuts` and `lut_mapping` (covered by tables
of three inputs), `section_outputs` (what stays in memory), `lut_order`, `allocate` with `registers`, `lut_instructions`
and `lut_steps` (tables as `instructions`), the target's encoder (these as bytes). `emit` does all of it; `code` runs
what comes of it, in executable `memory`.
"""

from __future__ import annotations

from reasoner.lanes.native.code import NativeCode
from reasoner.lanes.native.emit import emit
from reasoner.lanes.native.memory import Executable, ExecutableMemoryError
from reasoner.lanes.native.targets import TARGETS, Target

__all__ = ["TARGETS", "Executable", "ExecutableMemoryError", "NativeCode", "Target", "emit"]
