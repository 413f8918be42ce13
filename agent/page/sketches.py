"""Gallery of the bundled games: a picture and the kind of each game.

A process evaluates the rules, one game at a time, when a visitor opens the gallery; results are cached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.boards.board import picture
from agent.boards.pictures import Grid, Picture
from agent.gamemaster.games import bundled_game
from agent.page.answers import Sketch
from agent.page.drawing import Drawing
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.worker.worker_messages import Position
from reasoner.rules.chance import is_chance

MOVES = 5
"""Joint moves before the picture of a game that starts with empty boards."""


class Sketches:
    """Cache of sketches. Raises RulesFaultError or RefereeError if a rulesheet cannot be evaluated."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._made: dict[str, Sketch] = {}
        self._lock = asyncio.Lock()

    async def of(self, name: str) -> Sketch:
        """Return the sketch of a bundled game: its ``picture`` and its ``kinds``."""
        async with self._lock:
            if name not in self._made:
                self._made[name] = await self._sketched(name, bundled_game(name).text)
        return self._made[name]

    async def _sketched(self, name: str, rules: str) -> Sketch:
        referee = self._host.new_referee()
        try:
            _, roles = await referee.read(rules)
            first = await referee.begin(0, gently=True)
        finally:
            referee.close()
        log = MatchLog(name, name, 0.0, 0.0, 0.0, tuple(roles))
        log.may_hold(first)
        log.take(first, 0.0)
        await Drawing().draw(log)
        return {"name": name, "picture": _picture(log, first), "kinds": _kinds(roles, first)}


def _picture(log: MatchLog, first: Position) -> Picture:
    """Return the first position, or one from a random game if it shows no more than empty boards and counters."""
    drawn = picture(first.facts, log.look, terminal=first.terminal)
    if _shows(drawn):
        return drawn
    later = (picture(facts, log.look) for _, facts in first.sample[max(0, min(MOVES, len(first.sample) - 1)) :])
    return next(filter(_shows, later), drawn)


def _shows(drawn: Picture) -> bool:
    """Whether a picture has a piece, or without boards more than counters."""
    if drawn["grids"]:
        return any(map(_filled, drawn["grids"]))
    return any((drawn["towers"], drawn["switches"], drawn["pots"], drawn["trays"], drawn["others"]))


def _filled(grid: Grid) -> bool:
    symbols = grid["symbols"]
    return any(cell and not symbols.get(cell, {}).get("blank") for row in grid["cells"] for cell in row)


def _kinds(roles: Sequence[str], first: Position) -> list[str]:
    """Describe the game in words: number of players, chance, and kinds."""
    players = [role for role in roles if not is_chance(role)]
    count = {1: "one player", 2: "two players"}.get(len(players), f"{len(players)} players")
    return [count, *(["chance"] if len(players) < len(roles) else []), *first.kinds]
