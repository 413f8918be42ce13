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

from reasoner.arrays import Ints
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
