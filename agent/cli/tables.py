"""Tables of players and figures, in as many parts as the terminal's width asks for; nothing in them is cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

EDGES = 3
"""Columns of the terminal that a column takes besides its text."""
LEAST = 16
"""Columns that names get at least; longer ones go on in the next line."""


@dataclass(frozen=True, slots=True)
class Group:
    """Columns that stay together: their headings, and a row of cells for each name."""

    headings: Sequence[str]
    cells: Sequence[Sequence[str]]
    justify: Literal["left", "right"] = "right"

    @property
    def widths(self) -> list[int]:
        """What each column takes."""
        return [
            EDGES + max(map(cell_len, (heading, *(row[index] for row in self.cells))))
            for index, heading in enumerate(self.headings)
        ]


def parted(title: str, names: Sequence[str], groups: Sequence[Group], width: int) -> Iterator[Table]:
    """One table where `width` is enough for it, else several, each with the names in its first column."""
    longest = max(map(cell_len, (title, *names)))
    left, part = 0, list[Group]()
    for group in groups:
        if part and sum(group.widths) > left:
            yield _table(title, names, part)
            part = []
        left = (left if part else width - EDGES - min(longest, LEAST)) - sum(group.widths)
        part.append(group)
    yield _table(title, names, part)


def _table(title: str, names: Sequence[str], groups: Sequence[Group]) -> Table:
    table = Table(box=box.SIMPLE)
    table.add_column(Text(title), overflow="fold")
    for group in groups:
        for heading in group.headings:
            table.add_column(Text(heading), justify=group.justify, no_wrap=True)
    for index, name in enumerate(names):  # as they are: a stranger's brackets are no colours
        table.add_row(Text(name), *(Text(cell) for group in groups for cell in group.cells[index]))
    return table
