"""Results of the search of many games, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats, Ints, Singles


@dataclass(frozen=True, eq=False)
class Found:
    """N games, R roles, M moves of a role; values are goals as 0..1."""

    visits: tuple[Ints, ...]  # R times [N, M] simulations that began with the move
    values: tuple[Singles, ...]  # R times [N, M] mean value of those for the role; 0 without visits
    roots: Singles  # [N, R] mean value of all simulations
    improved: tuple[Singles, ...] = ()  # R times [N, M] the improved policy of Gumbel search, if used
    chosen: tuple[Ints, ...] = ()  # R times [N] the moves left by sequential halving

    def policy(self, role: int, temperature: float = 1.0) -> Floats:
        """Return the visit counts to the power of 1 / `temperature`, normalized; 0 without visits.  # [N, M]."""
        visits = self.visits[role] / np.maximum(self.visits[role].max(axis=1, keepdims=True), 1)
        raised = visits ** (1 / temperature)
        shares: Floats = raised / np.maximum(raised.sum(axis=1, keepdims=True), 1e-300)
        return shares

    def best(self, role: int) -> Ints:
        """Return the most visited move.  # [N]."""
        moves: Ints = self.visits[role].argmax(axis=1).astype(np.int32)
        return moves

    def drawn(self, role: int, rng: np.random.Generator, temperature: float = 1.0) -> Ints:
        """Draw a move from the `policy`.  # [N]."""
        ends = self.policy(role, temperature).cumsum(axis=1)
        moves: Ints = (ends <= rng.random((len(ends), 1)) * ends[:, -1:]).sum(axis=1).astype(np.int32)
        return moves
