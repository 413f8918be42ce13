"""Native code of a lane program, before it is loaded into memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.lanes.loaded import Code, Emitted
from reasoner.lanes.native.memory import Executable


@dataclass(frozen=True, eq=False)
class Section:
    """The function of one section."""

    start: int  # the offset of its first byte in the code
    size: int  # bytes
    tables: int  # three-input tables
    instructions: int
    loads: int  # instructions that only load a row
    stores: int


@dataclass(frozen=True, eq=False, kw_only=True)
class NativeCode(Code):
    """Position-independent code of the sections, and the places of their results."""

    emitter: str  # the name of the target
    code: bytes
    sections: tuple[Section, ...]

    def load(self) -> Emitted:
        """See Code. Raises ExecutableMemoryError if the system does not execute the code."""
        memory = Executable(self.code)
        entries = np.array([memory.address + section.start for section in self.sections], np.int64)
        return self.loaded(self.emitter, entries, np.zeros_like(entries), (memory,))
