"""What there is to know of a kind of processor that lanes are emitted for.

A section's code works on a part of each row. Where a register is as wide as a row it is straight. Elsewhere it consists
of stretches, each of which runs as often as a row has parts, with all addresses moved by a register's width. So what
the first run fetches of code and rows is still near the core in the next ones. No value stays in a register from one
stretch to the next.
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
    """A kind of processor: its registers, how it computes a table, and its instructions as bytes."""

    name: str  # as people ask for it
    registers: int  # as many values as they hold
    width: int  # bytes of a register
    stretch: int  # instructions that run for all parts of the rows before the next do; 0: all of a section
    select: Callable[[], Selection]
    encode: Callable[[Ints, int], bytes]  # a function that executes instructions, [n, FIELDS], on so many rows
    missing: Callable[[], str | None]  # what this machine lacks to run it, or None
    empty: bytes  # a function that only returns

    @property
    def parts(self) -> int:
        """How often a section's code runs, each time on the next part of every row."""
        return ROW_BYTES // self.width

    @cached_property
    def selection(self) -> Selection:
        """How it computes each table."""
        return self.select()
