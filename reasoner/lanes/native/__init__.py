"""Native emitter: sections as machine code for the processors in `targets`.

A section is compiled in this order: `section_aig` rebuilds its gates, `cuts` and `lut_mapping` cover them by
three-input tables, `section_outputs` plans which results stay in memory, and `lut_order` orders the tables. `allocate`
turns the tables into `instructions`, with `registers`, `lut_instructions` and `lut_steps`. The target's encoder turns
instructions into bytes. `emit` runs all of these; `code` is the result, which is loaded into executable `memory`.
"""

from __future__ import annotations

from reasoner.lanes.native.code import NativeCode
from reasoner.lanes.native.emit import emit
from reasoner.lanes.native.memory import Executable, ExecutableMemoryError
from reasoner.lanes.native.targets import TARGETS, Target

__all__ = ["TARGETS", "Executable", "ExecutableMemoryError", "NativeCode", "Target", "emit"]
