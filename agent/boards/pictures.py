"""JSON types of drawn positions."""

# no `from __future__ import annotations`: `typing.TypedDict` must see which keys are required

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

Place = tuple[int, int, int]
"""A cell: its board, column and row, from 0."""


class Cells(TypedDict):
    """The parts of a board that change; see `agent.boards.cells`."""

    cells: Sequence[Sequence[str]]
    more: Mapping[str, Sequence[str]]
    piles: Mapping[str, Sequence[str]]
    edges: Mapping[str, Sequence[str]]
    signs: Mapping[str, Sequence[Sequence[str]]]
    between: Mapping[str, str]
    lines: Sequence[Sequence[int]]
    walled: bool


class Grid(Cells):
    """A board: columns from the left, rows from the top."""

    title: str
    columns: Sequence[str]
    rows: Sequence[str]
    symbols: Mapping[str, Mapping[str, Any]]
    checkered: bool
    skew: int
    sides: Sequence[str]
    spots: Sequence[Sequence[float]]
    ways: Sequence[Sequence[int]]
    points: bool
    spelling: str  # how moves name a cell: column first, row first ("rows"), one word ("joined"), otherwise ("other")


class Trail(TypedDict):
    """The cells of a role's last move; `last`: the move is in the last joint move."""

    role: int
    cells: Sequence[Sequence[int]]
    last: bool


class Picture(TypedDict):
    """A drawn position; see `agent.boards.board`."""

    grids: Sequence[Grid]
    across: int
    dense: bool
    switches: Sequence[Mapping[str, Any]]
    trays: Sequence[Mapping[str, Any]]
    pots: Sequence[Mapping[str, Any]]
    towers: Sequence[Mapping[str, Any]]
    counters: Sequence[Sequence[str]]
    others: Mapping[str, Sequence[Sequence[str]]]
    starts: Mapping[str, int]  # first argument that names a cell, by move name; 0 if missing
    step: NotRequired[int]
    moved: NotRequired[Sequence[Trail]]
    cause: NotRequired[Sequence[Place]]


class MoveView(TypedDict):
    """A legal move, the cells that it names, and its column if it names only a column, as no other move does."""

    move: str
    cells: Sequence[Sequence[int]]
    column: int | None
