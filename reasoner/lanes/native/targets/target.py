"""Description of a processor that lanes are emitted for.

A section's code works on a part of each row. If a register is as wide as a row, the code is straight-line. Otherwise
it consists of stretches, each of which runs once for each part of a row, with all addresses moved by a register's
width, so that the code and rows fetched in the first run are still cached in the next ones. No value stays in a
register from one stretch to the next.
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
    encode: Callable[[Ints, int], bytes]  # makes a function that executes instructions, [n, FIELDS], on so many rows
    missing: Callable[[], str | None]  # why this machine cannot run it, or None
    empty: bytes  # a function that only returns

    @property
    def parts(self) -> int:
        """How often a section's code runs, each time on the next part of every row."""
        return ROW_BYTES // self.width

    @cached_property
    def selection(self) -> Selection:
        """The instruction selection of this target."""
        return self.select()


def windows(instructions: Ints, rows: int, window: int, pointers: int, *, first: bool = False) -> Ints:
    """For each window of so many rows the number of the pointer to it, or -1: the most used windows have one.

    first: pointer 0 is that of window 0, whether it is used or not.
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
