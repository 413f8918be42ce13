"""A policy and value network over the facts of a game, as arrays.

The first layer sums one row per true fact, as in NNUE (Nasu 2018): its cost grows with the facts of a position, not
with all facts of the game. Layers of rectified linear units follow. The last one gives each role's value and a logit
per move (Silver et al. 2017). A search computes the logits of legal moves only. In a game with a board, the first
layers can be those of `board`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Bytes, Singles
from reasoner.language.terms import Term
from search.network.board import Board


@dataclass(frozen=True, eq=False)
class Answers:
    """Outputs for N positions: the value of each role, 0..1, and the logits of all its moves."""

    values: Singles  # [N, R]
    logits: tuple[Singles, ...]  # R times [N, M]

    def priors(self, role: int, legal: Bools) -> Singles:
        """Return the softmax of a role's logits over its legal moves; zeros without a legal move.  # [N, M]."""
        logits = np.where(legal, self.logits[role], -np.inf)
        highest = np.where(legal.any(axis=1), logits.max(axis=1, initial=-np.inf), 0)
        raised = np.exp(logits - highest[:, None])
        shares: Singles = (raised / np.maximum(raised.sum(axis=1, keepdims=True), 1e-30)).astype(np.float32)
        return shares


@dataclass(frozen=True, eq=False)
class Activations:
    """Units of N positions: those of the last layer and, with a board, those of its cells and of a cell of zeros."""

    units: Singles  # [N, K]
    cells: Singles | None  # [N, W + 1, C]


@dataclass(frozen=True, eq=False)
class Network:
    """A policy and value network. Raises ValueError on wrong shapes.

    F facts, R roles, M moves per role, H units in the first layer, K in the last. Weight arrays have one row per input
    and one column per output, except those of `policy`. With a board of W cells and C channels, H is W * C.
    """

    roles: tuple[Term, ...]
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]  # R lists of M moves
    fact_rows: Singles  # [F, H]
    fact_bias: Singles  # [H]
    hidden: tuple[tuple[Singles, Singles], ...]  # layers: weights [in, out], bias [out]; the last has K outputs
    value: tuple[Singles, Singles]  # [K, R], [R]; before the logistic function
    policy: tuple[tuple[Singles, Singles], ...]  # R pairs of [M, K], [M]: a row and a bias per move
    board: Board | None = None

    def __post_init__(self) -> None:
        """Check that the shapes match."""
        width = len(self.fact_bias)
        _shaped("fact_rows", self.fact_rows, (len(self.facts), width))
        if self.board is not None:
            self.board.check(width, list(map(len, self.moves)))
            if not self.hidden:
                raise ValueError("a network with a board needs a hidden layer")
        for number, (weights, bias) in enumerate(self.hidden):
            _shaped(f"weights of hidden layer {number}", weights, (width, len(bias)))
            width = len(bias)
        _shaped("value weights", self.value[0], (width, len(self.roles)))
        _shaped("value bias", self.value[1], (len(self.roles),))
        if not len(self.policy) == len(self.moves) == len(self.roles):
            raise ValueError(f"{len(self.policy)} policies for {len(self.roles)} roles: give one per role")
        for role, moves, (rows, bias) in zip(self.roles, self.moves, self.policy, strict=True):
            _shaped(f"policy rows of {role}", rows, (len(moves), width))
            _shaped(f"policy bias of {role}", bias, (len(moves),))

    def activations(self, observation: Bytes) -> Activations:
        """Return the units that values and logits are computed from; see `forward`."""
        units: Any = np.maximum(observation.astype(np.float32) @ self.fact_rows + self.fact_bias, 0)
        cells: Singles | None = None
        if self.board is not None:
            cells = self.board.activations(units)
            units = cells[:, :-1].reshape(units.shape)
        for weights, bias in self.hidden:
            units = np.maximum(units @ weights + bias, 0)
        return Activations(units, cells)

    def largest_unit(self) -> float:
        """Return a number that no unit of a layer exceeds, whatever the observation."""
        most: Any = np.abs(self.fact_rows).sum(axis=0, dtype=np.float64) + np.abs(self.fact_bias)
        largest = [most.max(initial=0)]
        if self.board is not None:
            largest.append(self.board.largest_unit(largest[0]))
            most = np.full(len(most), largest[-1])
        for weights, bias in self.hidden:
            most = most @ np.abs(weights) + np.abs(bias)
            largest.append(most.max(initial=0))
        return float(max(largest))

    def value_logits(self, found: Activations) -> Singles:
        """Return the value of each role before the logistic function.  # [N, R]."""
        weights, bias = self.value
        logits: Singles = found.units @ weights + bias
        return logits

    def values(self, found: Activations) -> Singles:
        """Return the value of each role, 0..1.  # [N, R]."""
        logits: Any = self.value_logits(found)
        values: Singles = 1 / (1 + np.exp(-logits))
        return values

    def logits(self, role: int, found: Activations, rows: NDArray[Any], moves: NDArray[Any]) -> Singles:
        """Return the logits of E moves of a role, each in the position of its row.  # [E]."""
        weights, bias = self.policy[role]
        logits: Singles = np.einsum("ek,ek->e", found.units[rows], weights[moves]) + bias[moves]
        if self.board is not None and found.cells is not None:
            logits = logits + self.board.logits(role, found.cells, rows, moves)
        return logits

    def forward(self, observation: Bytes) -> Answers:
        """Evaluate positions; `observation` marks which facts are true.  # [N, F], 0 or 1."""
        found = self.activations(observation)
        count, logits = len(observation), []
        for role, moves in enumerate(self.moves):
            rows, own = np.divmod(np.arange(count * len(moves)), max(len(moves), 1))
            logits.append(self.logits(role, found, rows, own).reshape(count, len(moves)))
        return Answers(self.values(found), tuple(logits))


def _shaped(name: str, array: Singles, shape: Sequence[int]) -> None:
    if array.shape != tuple(shape) or array.dtype != np.float32:
        raise ValueError(f"{name}: {array.dtype} of shape {array.shape} instead of float32 of {tuple(shape)}")
