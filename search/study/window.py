"""Window of the most recent self-play positions, from which a network learns."""

from __future__ import annotations

from collections import deque

import numpy as np

from search.study.games import Games, joined

MAX_POSITIONS = 1_000_000
MAX_BYTES = 1 << 30
"""Limits of a window; the limit that is reached first applies."""
STALE_SHARE = 1 / 32
"""Share of new positions up to which positions are drawn from the earlier ones only: joining all takes long."""


def nbytes(games: Games) -> int:
    """Return the size of the arrays."""
    policies = sum(own.starts.nbytes + own.moves.nbytes + own.shares.nbytes for own in games.policies)
    fixed = (games.observations, games.values, games.results, games.game, games.ply)
    return policies + sum(array.nbytes for array in fixed)


class Window:
    """Batches of positions in order of arrival. Keeps `share` of all positions added so far, but at least `least`."""

    def __init__(self, least: int = 50_000, share: float = 0.5, most: int = MAX_POSITIONS) -> None:
        self._least, self._share, self._most = least, share, most
        self._parts: deque[tuple[int, Games]] = deque()
        self.seen = 0  # number of positions added so far
        self._together: Games | None = None
        self._added = 0  # positions added after `_together` was made

    def __len__(self) -> int:
        """Return the number of positions kept."""
        return sum(len(part) for _, part in self._parts)

    def add(self, number: int, games: Games) -> list[int]:
        """Add a batch of positions with its number; return the numbers of the old batches that were dropped."""
        self.seen += len(games)
        self._parts.append((number, games))
        self._added += len(games)
        return self._forgotten()

    def _forgotten(self) -> list[int]:
        room = min(max(self._least, int(self._share * self.seen)), self._most)
        gone = []
        while len(self._parts) > 1 and (len(self) - len(self._parts[0][1]) >= room or self._bytes() > MAX_BYTES):
            gone.append(self._parts.popleft()[0])
        return gone

    def _bytes(self) -> int:
        return sum(nbytes(part) for _, part in self._parts)

    def positions(self) -> Games:
        """Return all positions kept, concatenated."""
        if self._together is None or self._added:
            self._together, self._added = joined([part for _, part in self._parts]), 0
        return self._together

    def drawn(self, rng: np.random.Generator, count: int, mix: float) -> Games:
        """Draw positions uniformly, except some of the newest (`STALE_SHARE`).

        Their `results` are mixed with a share `mix` of the search's values.
        """
        before = self._together
        fresh = before is not None and self._added <= STALE_SHARE * len(before)
        positions = before if before is not None and fresh else self.positions()
        return positions.take(rng.integers(0, len(positions), count)).mixed(mix)
