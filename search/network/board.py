"""Layers of a network on the cells of a board, whose weights all cells share, as in a convolution.

A cell has one unit per channel. A layer computes the units of a cell from those of its neighbours, which include the
cell itself. A move that names cells gets a part of its logit from the units of these cells, so that what is learned of
a move at one place holds at the others, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Singles
from reasoner.kernels.vectors import VECTOR

_TOGETHER = 128
"""Positions whose units are computed at once, to save memory."""


@dataclass(frozen=True, eq=False)
class Board:
    """W cells with C channels each, a multiple of VECTOR, and N neighbours; R roles with M moves of up to J cells.

    neighbours: cells; W where there is none.
    layers:     weights and bias of each layer; its inputs are the channels of the first neighbour, then of the second.
    places:     the cells that a move names; W: none.
    rows:       for each move, the weights of the channels of its first cell, then of the second.
    slots:      maximum number of legal moves whose logits a search stores; the logits of others count as 0.
    """

    neighbours: Ints  # [W, N]
    layers: tuple[tuple[Singles, Singles], ...]  # pairs of [N * C, C], [C]
    places: tuple[Ints, ...]  # R times [M, J]
    rows: tuple[Singles, ...]  # R times [M, J * C]
    slots: int

    @property
    def cells(self) -> int:
        """Number of cells, W."""
        return len(self.neighbours)

    @property
    def channels(self) -> int:
        """Number of channels, C."""
        return len(self.layers[0][1])

    def check(self, width: int, moves: Sequence[int]) -> None:
        """Raise ValueError unless the shapes fit a first layer of `width` units, and the numbers of moves."""
        if not self.neighbours.size or not self.layers or width != self.cells * self.channels or self.channels % VECTOR:
            near = self.neighbours.shape[1]
            raise ValueError(f"a board of {self.cells} cells and {near} neighbours does not fit {width} units")
        inside = self.neighbours.min(initial=0) >= 0 and self.neighbours.max(initial=0) <= self.cells
        shapes = {weights.shape for weights, _ in self.layers} | {(*bias.shape, 0) for _, bias in self.layers}
        wanted = {(self.neighbours.shape[1] * self.channels, self.channels), (self.channels, 0)}
        if not inside or shapes != wanted or not 0 <= self.slots <= 1 << 16:
            raise ValueError(f"the layers of the board have shapes {sorted(shapes)} instead of {sorted(wanted)}")
        if not len(self.places) == len(self.rows) == len(moves):
            raise ValueError(f"places of the moves of {len(self.places)} roles instead of {len(moves)}")
        for places, rows, count in zip(self.places, self.rows, moves, strict=True):
            named = places.shape[1]
            if len(places) != count or rows.shape != (count, named * self.channels) or named != self.places[0].shape[1]:
                raise ValueError(f"places of shape {places.shape} and rows of shape {rows.shape} for {count} moves")
            if count and not (places.min(initial=0) >= 0 and places.max(initial=0) <= self.cells):
                raise ValueError(f"a place of a move is not in 0..{self.cells}")

    def activations(self, units: Singles) -> Singles:
        """Return the units of the cells after the last layer, and a last cell of zeros.  # [N, W + 1, C].

        units: [N, W * C] those of the first layer.
        """
        found = np.zeros((len(units), self.cells + 1, self.channels), np.float32)
        found[:, :-1] = units.reshape(len(units), self.cells, self.channels)
        for begin in range(0, len(units), _TOGETHER):
            some = found[begin : begin + _TOGETHER]
            for weights, bias in self.layers:
                near = some[:, self.neighbours].reshape(len(some), self.cells, len(weights))
                some[:, :-1] = np.maximum(near @ weights + bias, 0)
        return found

    def largest_unit(self, first: float) -> float:
        """Return a number that no unit of a cell exceeds if those of the first layer do not exceed `first`."""
        most = largest = first
        for weights, bias in self.layers:
            most = float((most * np.abs(weights).sum(axis=0, dtype=np.float64) + np.abs(bias)).max())
            largest = max(largest, most)
        return largest

    def logits(self, role: int, cells: Singles, rows: NDArray[Any], moves: NDArray[Any]) -> Singles:
        """Return the part of the logits of E moves that comes from the cells that they name.  # [E]."""
        near = cells[rows[:, None], self.places[role][moves]].reshape(len(rows), -1)
        logits: Singles = np.einsum("ek,ek->e", near, self.rows[role][moves])
        return logits
