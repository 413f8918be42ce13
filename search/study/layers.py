"""The weights of a network in training, and what it computes with them: dense layers, or layers on a board.

On a board, many entries of the network's arrays are one weight: the rows of facts of one kind, and of moves of one
kind, are the same at every cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import torch

from reasoner.arrays import Singles
from search.network import Board, Network
from search.study.grid import OFF, OFFSETS, Grid
from search.study.vocabulary import Vocabulary

Weights = Mapping[str, torch.Tensor]


CHANNELS = 16
"""Units of each cell in a layer on a board."""


@dataclass(frozen=True, eq=False)
class Outputs:
    """Value logits of N positions, and the units that the logits of moves are computed from."""

    values: torch.Tensor  # [N, R]
    units: torch.Tensor  # [N, K]
    cells: torch.Tensor | None = None  # [N, W + 1, C]; the last cell is zero


class Layers(Protocol):
    """A network whose weights are given by their names."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Facts and moves of the game."""

    def fresh(self, seed: int) -> dict[str, Singles]:
        """Return weights of an untrained network: uniform policy, all values 1/2."""

    def network(self, arrays: Mapping[str, Singles]) -> Network:
        """Return the network with these weights."""

    def outputs(self, weights: Weights, bits: torch.Tensor) -> Outputs:
        """Evaluate positions.  # bits [N, F]."""

    def logits(
        self, weights: Weights, role: int, found: Outputs, rows: torch.Tensor, moves: torch.Tensor
    ) -> torch.Tensor:
        """Return the logits of moves of a role, each in the position of its row.  # [E]."""


@dataclass(frozen=True, eq=False)
class DenseLayers:
    """Layers without structure: `first` units, then `hidden` units."""

    vocabulary: Vocabulary
    first: int = 128
    hidden: int = 32

    def fresh(self, seed: int) -> dict[str, Singles]:
        """Return weights of an untrained network: uniform policy, all values 1/2, others as by He et al. 2015."""
        rng, facts = np.random.default_rng(seed), len(self.vocabulary.facts)
        weights = {"fact_rows": _drawn(rng, max(facts / 3, 1), facts, self.first)}  # only some of the facts are true
        weights["fact_bias"] = np.zeros(self.first, np.float32)
        return weights | _heads(rng, self.vocabulary, self.first, self.hidden)

    def network(self, arrays: Mapping[str, Singles]) -> Network:
        """Return the network with these weights."""
        return _network(self.vocabulary, arrays, arrays["fact_rows"], arrays["fact_bias"])

    def outputs(self, weights: Weights, bits: torch.Tensor) -> Outputs:
        """Evaluate positions."""
        units = torch.relu(bits.float() @ weights["fact_rows"] + weights["fact_bias"])
        return _outputs(weights, units)

    def logits(
        self, weights: Weights, role: int, found: Outputs, rows: torch.Tensor, moves: torch.Tensor
    ) -> torch.Tensor:
        """Return the logits of moves; if they are a small share of all moves, compute only these."""
        return _dense_logits(weights, role, found, rows, moves)


class BoardLayers:
    """Layers on the cells of a grid with `channels` units each, `depth` of them after the first; `hidden` units follow.

    slots: see `search.network.board.Board`.
    """

    def __init__(
        self, vocabulary: Vocabulary, grid: Grid, slots: int, channels: int = CHANNELS, depth: int = 2, hidden: int = 32
    ) -> None:
        self.vocabulary, self._grid, self._slots = vocabulary, grid, slots
        self._channels, self._depth, self._hidden = channels, depth, hidden
        self._on = np.flatnonzero(grid.kinds >= 0)
        self._off = np.flatnonzero(grid.kinds == OFF)
        self._kinds = int(grid.kinds.max()) + 1
        sources = np.full(self._kinds * grid.cells, len(grid.kinds), np.int64)
        sources[grid.kinds[self._on] * grid.cells + grid.places[self._on]] = self._on
        self._sources = torch.from_numpy(sources)  # the fact of each kind and cell; F: none
        self._move_kinds = [torch.from_numpy(kinds.astype(np.int64)) for kinds in grid.move_kinds]
        self._named = [torch.from_numpy(cells.astype(np.int64)) for cells in grid.named]

    def fresh(self, seed: int) -> dict[str, Singles]:
        """Return weights of an untrained network; layers on the board begin near the identity."""
        rng, channels, near = np.random.default_rng(seed), self._channels, len(OFFSETS)
        weights = {
            "patches": _drawn(rng, near, self._kinds, near, channels),
            "edges": _drawn(rng, 4 * near, near, channels),  # of the cells that exist
            "everywhere": _drawn(rng, near, len(self._off), channels),
            "cell_bias": np.zeros(channels, np.float32),
        }
        for number in range(self._depth):
            matrix = _drawn(rng, 6 * near * channels, near, channels, channels)
            matrix[OFFSETS.index((0, 0))] += np.eye(channels, dtype=np.float32)
            weights |= {f"board{number}": matrix, f"board_bias{number}": np.zeros(channels, np.float32)}
        for role, (kinds, cells) in enumerate(zip(self._grid.move_kinds, self._grid.named, strict=True)):
            count = int(kinds.max(initial=-1)) + 1
            weights[f"move_rows{role}"] = np.zeros((count, cells.shape[1], channels), np.float32)
            weights[f"move_bias{role}"] = np.zeros(count, np.float32)
        return weights | _heads(rng, self.vocabulary, self._grid.cells * channels, self._hidden)

    def network(self, arrays: Mapping[str, Singles]) -> Network:
        """Return the network with these weights, each written where it counts."""
        grid, channels = self._grid, self._channels
        near, patches = grid.neighbours, arrays["patches"]
        rows = np.zeros((len(grid.kinds), grid.cells, channels), np.float32)
        at = [np.argwhere(near == cell) for cell in range(grid.cells)]  # the cells that a cell is a neighbour of
        for fact in self._on.tolist():
            cells, offsets = at[grid.places[fact]].T
            rows[fact, cells] = patches[grid.kinds[fact], offsets]
        rows[self._off] = arrays["everywhere"][:, None]
        bias = arrays["cell_bias"] + (near < grid.cells).astype(np.float32) @ arrays["edges"]
        whole = _network(self.vocabulary, arrays, rows.reshape(len(rows), -1), bias.reshape(-1))
        roles = range(len(grid.named))
        moves = [arrays[f"move_rows{role}"][grid.move_kinds[role]] for role in roles]
        shared = [arrays[f"move_bias{role}"][grid.move_kinds[role]] for role in roles]
        board = Board(
            near,
            tuple((arrays[f"board{n}"].reshape(-1, channels), arrays[f"board_bias{n}"]) for n in range(self._depth)),
            grid.named,
            tuple(own.reshape(len(own), -1) for own in moves),
            self._slots,
        )
        policy = tuple((own, bias + more) for (own, bias), more in zip(whole.policy, shared, strict=True))
        return replace(whole, policy=policy, board=board)

    def outputs(self, weights: Weights, bits: torch.Tensor) -> Outputs:
        """Evaluate positions, by convolutions."""
        grid, count, device = self._grid, len(bits), bits.device
        facts = torch.nn.functional.pad(bits.float(), (0, 1)).index_select(1, self._sources.to(device))
        planes = torch.cat([facts, torch.ones(count, grid.cells, device=device)], dim=1)
        planes = planes.view(count, -1, grid.wide, grid.high)  # the last plane: cells that exist
        first = torch.cat([weights["patches"], weights["edges"][None]])
        everywhere = bits[:, self._off].float() @ weights["everywhere"] + weights["cell_bias"]
        units = torch.relu(_convolved(planes, first) + everywhere[:, :, None, None])
        for number in range(self._depth):
            matrix = weights[f"board{number}"].transpose(0, 1)
            units = torch.relu(_convolved(units, matrix) + weights[f"board_bias{number}"][:, None, None])
        cells = units.flatten(2).transpose(1, 2)
        found = _outputs(weights, cells.flatten(1))
        nothing = torch.zeros(count, 1, self._channels, device=device)
        return replace(found, cells=torch.cat([cells, nothing], dim=1))

    def logits(
        self, weights: Weights, role: int, found: Outputs, rows: torch.Tensor, moves: torch.Tensor
    ) -> torch.Tensor:
        """Return the logits of moves: a part from the units of the last layer, and one from the cells they name."""
        assert found.cells is not None
        kinds, named = self._move_kinds[role].to(rows.device)[moves], self._named[role].to(rows.device)[moves]
        logits = _dense_logits(weights, role, found, rows, moves) + weights[f"move_bias{role}"][kinds]
        for place in range(named.shape[1]):
            logits = logits + (found.cells[rows, named[:, place]] * weights[f"move_rows{role}"][kinds, place]).sum(
                dim=1
            )
        return logits


def _convolved(units: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the convolution of units [N, I, wide, high] with weights [I, 9, O].  # [N, O, wide, high]."""
    ins, _, outs = weights.shape
    kernel = weights.reshape(ins, 3, 3, outs).permute(3, 0, 1, 2)
    return torch.nn.functional.conv2d(units, kernel, padding=1)


def _heads(rng: np.random.Generator, vocabulary: Vocabulary, ins: int, hidden: int) -> dict[str, Singles]:
    weights = {"hidden": _drawn(rng, ins, ins, hidden), "hidden_bias": np.zeros(hidden, np.float32)}
    weights |= {"value": np.zeros((hidden, len(vocabulary.roles)), np.float32)}
    weights |= {"value_bias": np.zeros(len(vocabulary.roles), np.float32)}
    for role, own in enumerate(vocabulary.moves):
        weights[f"policy{role}"] = np.zeros((len(own), hidden), np.float32)
        weights[f"policy_bias{role}"] = np.zeros(len(own), np.float32)
    return weights


def _drawn(rng: np.random.Generator, fan: float, *shape: int) -> Singles:
    drawn: Singles = rng.normal(0, np.sqrt(2 / fan), shape).astype(np.float32)
    return drawn


def _network(vocabulary: Vocabulary, arrays: Mapping[str, Singles], rows: Singles, bias: Singles) -> Network:
    roles = range(len(vocabulary.roles))
    return Network(
        vocabulary.roles,
        vocabulary.facts,
        vocabulary.moves,
        rows,
        bias,
        ((arrays["hidden"], arrays["hidden_bias"]),),
        (arrays["value"], arrays["value_bias"]),
        tuple((arrays[f"policy{role}"], arrays[f"policy_bias{role}"]) for role in roles),
    )


def _outputs(weights: Weights, units: torch.Tensor) -> Outputs:
    last = torch.relu(units @ weights["hidden"] + weights["hidden_bias"])
    return Outputs(last @ weights["value"] + weights["value_bias"], last)


def _dense_logits(weights: Weights, role: int, found: Outputs, rows: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
    own, bias = weights[f"policy{role}"], weights[f"policy_bias{role}"]
    if len(rows) * 8 < len(found.units) * len(bias):
        return (found.units.index_select(0, rows) * own.index_select(0, moves)).sum(dim=1) + bias.index_select(0, moves)
    return (found.units @ own.T + bias).flatten().index_select(0, rows * len(bias) + moves)
