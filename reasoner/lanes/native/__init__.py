"""The native emitter: sections as machine code for x86-64 with AVX-512, in Linux."""

from __future__ import annotations

from reasoner.lanes.native.code import NativeCode
from reasoner.lanes.native.emit import emit
from reasoner.lanes.native.memory import Executable, ExecutableMemoryError
from reasoner.lanes.native.support import missing

__all__ = ["Executable", "ExecutableMemoryError", "NativeCode", "emit", "missing"]
