"""The board of a network, laid out for the kernels: tables of rows, and weights of a circuit's moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Singles
from reasoner.circuit.circuit import Circuit
from reasoner.kernels.memory import address
from reasoner.kernels.vectors import CELLS
from search.network.board import Board
from search.network.network import Network


class CompiledBoard:
    """Arrays and numbers of the fields of `search.network.evaluate.NETWORK` that describe a board.

    After the rows of the cells there is at least one row of zeros, for neighbours and places that do not exist.
    """

    def __init__(self, network: Network, board: Board, roles: Sequence[int], circuit: Circuit) -> None:
        self.rows = -(-(board.cells + 1) // CELLS) * CELLS
        self.channels, self.first = board.channels, self.rows * board.channels
        """Units of the first layer, with those of the rows of zeros."""
        near = np.full((self.rows, board.neighbours.shape[1]), board.cells, np.int32)
        near[: board.cells] = board.neighbours
        places, rows = _of_moves(network, board, roles, circuit)
        self._layers = [tuple(map(np.ascontiguousarray, layer)) for layer in board.layers]
        self.arrays: dict[str, NDArray[Any]] = {
            "near": np.ascontiguousarray(near.reshape(-1, CELLS, near.shape[1]).swapaxes(1, 2)),
            "board_table": np.array([[address(weights), address(bias)] for weights, bias in self._layers], np.int64),
            "places": places,
            "place_rows": rows,
        }
        self.numbers = {
            "cells": board.cells,
            "rows": self.rows,
            "channels": board.channels,
            "neighbours": board.neighbours.shape[1],
            "board_layers": len(board.layers),
            "named": places.shape[1],
            "slots": board.slots,
        }


class Blocks:
    """Rows of the first layer as the blocks of their cells that are not zero, for `sum_blocks`."""

    def __init__(self, rows: Singles, channels: int) -> None:
        blocks = rows.reshape(len(rows), -1, channels)
        held = blocks.any(axis=2)
        self._starts = np.concatenate([[0], np.cumsum(held.sum(axis=1))]).astype(np.int32)
        self._places = np.nonzero(held)[1].astype(np.int32)
        self._blocks = np.ascontiguousarray(blocks[held])
        self.table = np.array([address(each) for each in (self._starts, self._places, self._blocks)], np.int64)


def _of_moves(
    network: Network, board: Board, roles: Sequence[int], circuit: Circuit
) -> tuple[NDArray[np.int32], Singles]:
    """Return places and rows of the circuit's moves; no places and zeros for moves unknown to the network."""
    count, named = sum(map(len, circuit.moves)), board.places[0].shape[1]
    places = np.full((count, named), board.cells, np.int32)
    rows, at = np.zeros((count, named * board.channels), np.float32), 0
    for role, own in zip(roles, circuit.moves, strict=True):
        known = {move: number for number, move in enumerate(network.moves[role])}
        for move in own:
            if move in known:
                places[at] = board.places[role][known[move]]
                rows[at] = board.rows[role][known[move]]
            at += 1
    return places, rows
