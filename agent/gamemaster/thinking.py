"""How fast the players of a match play out games, from the figures that INFO tells of the last move."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.gamemaster.errors import PlayerError
from agent.gamemaster.player import RemotePlayer

INFO_SECONDS = 1.0


class Thinking:
    """Sums over a match. A player that once does not answer INFO is not asked again."""

    def __init__(self, players: Sequence[RemotePlayer]) -> None:
        self._players = players
        self._playouts = [0.0] * len(players)
        self._seconds = [0.0] * len(players)
        self._silent: set[int] = set()

    async def ask(self) -> None:
        """Adds each player's figures; to be called once after each step."""
        await asyncio.gather(*(self._ask(index) for index in range(len(self._players)) if index not in self._silent))

    def rates(self) -> tuple[float | None, ...]:
        """Playouts per second of each player; None for one that told no time of thinking."""
        return tuple(round(p / s, 1) if s > 0 else None for p, s in zip(self._playouts, self._seconds, strict=True))

    async def _ask(self, index: int) -> None:
        try:
            info = await self._players[index].info(INFO_SECONDS)
            playouts, seconds = float(info["playouts"]), float(info["seconds"])
        except (PlayerError, ValueError):
            self._silent.add(index)
        except KeyError:
            pass  # no move yet, or a player that keeps its figures to itself
        else:
            self._playouts[index] += playouts
            self._seconds[index] += seconds
