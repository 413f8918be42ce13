"""Description of a processor for which lanes are emitted.

A section's code works on a part of each row, as wide as a register. If a register is as wide as a row, the code is
straight-line. Otherwise the code consists of *stretches*. Each stretch runs once for each part of the rows, with all
addresses moved by the width of a register. The code and rows fetched in its first run are still cached in the next
runs. No value stays in a register from one stretch to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reasoner.arrays import Ints
from reasoner.lanes.native.instructions import DESTINATION, MEMORY, OPERATION, SECOND, STORE
from reasoner.lanes.native.targets.selection import Selection

ROW_BYTES = 64


@dataclass(frozen=True, eq=False)
class Target:
    """A processor: its registers, how it computes a table, and its instruction encodings."""

    name: str  # the name in settings and options
    registers: int  # the number of registers
    width: int  # bytes of a register
    stretch: int  # instructions per stretch; 0: a section is one stretch
    select: Callable[[], Selection]
    encode: Callable[[Ints, int], bytes]  # (instructions [n, FIELDS], number of rows) → machine code of a function
    missing: Callable[[], str | None]  # the reason why this machine cannot run the code, or None
    empty: bytes  # a function that only returns

    @property
    def parts(self) -> int:
        """The number of parts of a row, each as wide as a register; a section's code runs once for each part."""
        return ROW_BYTES // self.width

    @cached_property
    def selection(self) -> Selection:
        """The instruction selection of this target."""
        return self.select()


def windows(instructions: Ints, rows: int, window: int, pointers: int, *, first: bool = False) -> Ints:
    """The number of the pointer to each window of `window` rows, or -1; the most used windows have a pointer.

    first: pointer 0 points to window 0, whether the window is used or not.
    """
    operation = instructions[:, OPERATION]
    row = np.where(operation == STORE | MEMORY, instructions[:, DESTINATION], instructions[:, SECOND])
    uses = np.bincount(row[operation >= MEMORY] // window, minlength=rows // window + 1)
    if first:
        uses[0] = len(instructions) + 1
    most = np.argsort(-uses, kind="stable")[:pointers]
    most = most[: max(1, np.count_nonzero(uses[most]))]
    pointer = np.full(len(uses), -1, np.int32)
    pointer[most] = np.arange(len(most))
    return pointer
