"""Tables that split into several parts to fit the width of the terminal; no cell is cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

EDGES = 3
"""Terminal columns per table column besides its text."""
MIN_NAME_COLUMNS = 16
"""Minimum terminal columns for names; longer names wrap."""


@dataclass(frozen=True, slots=True)
class Group:
    """Columns that are never split between two tables: their headings, and one row of cells per name."""

    headings: Sequence[str]
    cells: Sequence[Sequence[str]]
    justify: Literal["left", "right"] = "right"

    @property
    def widths(self) -> list[int]:
        """Terminal columns of each column."""
        return [
            EDGES + max(map(cell_len, (heading, *(row[index] for row in self.cells))))
            for index, heading in enumerate(self.headings)
        ]


def parted(title: str, names: Sequence[str], groups: Sequence[Group], width: int) -> Iterator[Table]:
    """Yield one table if `width` suffices, else several, each with the names in its first column."""
    longest = max(map(cell_len, (title, *names)))
    left, part = 0, list[Group]()
    for group in groups:
        if part and sum(group.widths) > left:
            yield _table(title, names, part)
            part = []
        left = (left if part else width - EDGES - min(longest, MIN_NAME_COLUMNS)) - sum(group.widths)
        part.append(group)
    yield _table(title, names, part)


def _table(title: str, names: Sequence[str], groups: Sequence[Group]) -> Table:
    table = Table(box=box.SIMPLE)
    table.add_column(Text(title), overflow="fold")
    for group in groups:
        for heading in group.headings:
            table.add_column(Text(heading), justify=group.justify, no_wrap=True)
    for index, name in enumerate(names):  # Text: brackets in names must not become rich markup
        table.add_row(Text(name), *(Text(cell) for group in groups for cell in group.cells[index]))
    return table
