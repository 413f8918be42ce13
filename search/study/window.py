"""The last positions of self-play, from which a network learns; older ones are forgotten."""

from __future__ import annotations

from collections import deque

import numpy as np

from search.study.games import Games, joined

MOST_POSITIONS = 1_000_000
MOST_BYTES = 1 << 30
"""What a window holds at most, whichever is reached first."""


def nbytes(games: Games) -> int:
    """Of the arrays."""
    policies = sum(own.starts.nbytes + own.moves.nbytes + own.shares.nbytes for own in games.policies)
    fixed = (games.observations, games.values, games.results, games.game, games.ply)
    return policies + sum(array.nbytes for array in fixed)


class Window:
    """Batches of positions in the order they came. `share` of all that ever came are kept, but at least `least`."""

    def __init__(self, least: int = 50_000, share: float = 0.5, most: int = MOST_POSITIONS) -> None:
        self._least, self._share, self._most = least, share, most
        self._parts: deque[tuple[int, Games]] = deque()
        self.seen = 0  # positions that ever came
        self._together: Games | None = None

    def __len__(self) -> int:
        """Positions that are kept."""
        return sum(len(part) for _, part in self._parts)

    def add(self, number: int, games: Games) -> list[int]:
        """Take in positions under a number; the numbers of those that are forgotten for it."""
        self.seen += len(games)
        self._parts.append((number, games))
        self._together = None
        return self._forgotten()

    def _forgotten(self) -> list[int]:
        room = min(max(self._least, int(self._share * self.seen)), self._most)
        gone = []
        while len(self._parts) > 1 and (len(self) - len(self._parts[0][1]) >= room or self._bytes() > MOST_BYTES):
            gone.append(self._parts.popleft()[0])
        return gone

    def _bytes(self) -> int:
        return sum(nbytes(part) for _, part in self._parts)

    def positions(self) -> Games:
        """All that are kept, as one."""
        if self._together is None:
            self._together = joined([part for _, part in self._parts])
        return self._together

    def drawn(self, rng: np.random.Generator, count: int, mix: float) -> Games:
        """Some positions, drawn alike; their `results` are mixed with a share of what the search expected."""
        positions = self.positions()
        return positions.take(rng.integers(0, len(positions), count)).mixed(mix)
