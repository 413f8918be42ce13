"""The native emitter: sections as machine code for x86-64 with AVX-512, in Linux, where `support` finds that.

As a section passes through the files: `section_aig` (its gates, rebuilt), `cuts` and `lut_mapping` (covered by tables
of three inputs), `section_outputs` (what stays in memory), `lut_order`, `allocate` with `registers` and
`lut_instructions` (tables as `instructions`), `encoder` (these as bytes). `emit` does all of it; `code` runs what comes
of it, in executable `memory`.
"""

from __future__ import annotations

from reasoner.lanes.native.code import NativeCode
from reasoner.lanes.native.emit import emit
from reasoner.lanes.native.memory import Executable, ExecutableMemoryError
from reasoner.lanes.native.support import missing

__all__ = ["Executable", "ExecutableMemoryError", "NativeCode", "emit", "missing"]
