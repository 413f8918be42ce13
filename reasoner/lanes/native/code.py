"""Native code of a lane program, before it is loaded into memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints, Rows
from reasoner.lanes.loaded import Emitted
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


@dataclass(frozen=True, eq=False)
class NativeCode:
    """Position-independent code of the sections, and the places of their results."""

    emitter: str  # the name of the target
    code: bytes
    sections: tuple[Section, ...]
    rows: int
    left: Rows  # rows left by LEGAL, as in `Emitted`
    legal: Rows  # [M] literals over rows; the results below are literals over rows, too
    able: Rows
    terminal: int
    won: int
    goals: Ints

    def load(self) -> Emitted:
        """See `reasoner.lanes.loaded.Code`. Raises ExecutableMemoryError if the system does not execute the code."""
        memory = Executable(self.code)
        return Emitted(
            emitter=self.emitter,
            rows=self.rows,
            left=self.left,
            entries=np.array([memory.address + section.start for section in self.sections], np.int64),
            operands=np.zeros(len(self.sections), np.int64),
            legal=self.legal,
            able=self.able,
            terminal=self.terminal,
            won=self.won,
            goals=self.goals,
            keep=(memory,),
        )
