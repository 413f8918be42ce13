"""What searches of many games found, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats, Ints, Singles


@dataclass(frozen=True, eq=False)
class Found:
    """N games, R roles, M moves of a role; values are goals as 0..1."""

    visits: tuple[Ints, ...]  # R times [N, M] simulations that began with the move
    values: tuple[Singles, ...]  # R times [N, M] what those brought the role on average; 0 where none did
    roots: Singles  # [N, R] what all simulations brought on average
    improved: tuple[Singles, ...] = ()  # R times [N, M] the policy that Gumbel search has found, if asked
    chosen: tuple[Ints, ...] = ()  # R times [N] the moves that its halving has left

    def policy(self, role: int, temperature: float = 1.0) -> Floats:
        """Shares of the visits to the power of 1 / `temperature`; 0 everywhere where nothing was visited.  # [N, M]."""
        visits = self.visits[role] / np.maximum(self.visits[role].max(axis=1, keepdims=True), 1)
        raised = visits ** (1 / temperature)
        shares: Floats = raised / np.maximum(raised.sum(axis=1, keepdims=True), 1e-300)
        return shares

    def best(self, role: int) -> Ints:
        """The most visited move.  # [N]."""
        moves: Ints = self.visits[role].argmax(axis=1).astype(np.int32)
        return moves

    def drawn(self, role: int, rng: np.random.Generator, temperature: float = 1.0) -> Ints:
        """A move drawn from the `policy`.  # [N]."""
        ends = self.policy(role, temperature).cumsum(axis=1)
        moves: Ints = (ends <= rng.random((len(ends), 1)) * ends[:, -1:]).sum(axis=1).astype(np.int32)
        return moves
