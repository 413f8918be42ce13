"""Actor class that plays matches of a tournament on a node of the cluster.

This module does not import Ray. The players are local agents on the actor's machine. They are reused between matches,
and end with the actor.
"""

from __future__ import annotations

import io
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass

from agent.cluster.processors import reserve
from agent.cluster.source import check_source
from agent.gamemaster.player import RemotePlayer
from agent.gamemaster.rulesheet import Rulesheet
from agent.tournament.arena import JudgedGame, LocalArena, PlayedMatch, running_players
from agent.tournament.plan import TournamentPlan
from agent.tournament.schedule import Pairing
from reasoner import load_text


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Setup of all tables of a tournament. `serve` is the module of an agent and its arguments."""

    plan: TournamentPlan
    source: str
    seats: int  # maximum seats of one player in a match
    processors: int  # processors of each table
    environment: dict[str, str]  # settings of the agents
    traced: bool
    serve: tuple[str, ...]


class RemoteTable:
    """Plays one match at a time. Raises ClusterError if this machine has another version of the agent."""

    def __init__(self, setup: TableSetup) -> None:
        check_source(setup.source)
        self._setup = setup
        self._boards: dict[str, JudgedGame] = {}
        self._players: dict[str, RemotePlayer] = {}
        self._running = AsyncExitStack()
        reserve(setup.processors)

    async def ready(self) -> bool:
        """Return once the table is created."""
        return True

    async def play(self, pairing: Pairing, sheet: Rulesheet) -> tuple[PlayedMatch, str]:
        """Play a match; return the match and the trace of messages (empty if not enabled). Raises PlayerError."""
        if pairing.game not in self._boards:
            self._boards[pairing.game] = JudgedGame(sheet, load_text(sheet.text, engine="relational"))
        players, trace = await self._seated(pairing), io.StringIO()
        table = LocalArena(self._setup.plan, self._boards, players, trace if self._setup.traced else None)
        return await table.play(pairing), trace.getvalue()

    async def leave(self) -> None:
        """Stop the players."""
        self._players = {}
        await self._running.aclose()

    async def _seated(self, pairing: Pairing) -> dict[str, RemotePlayer]:
        """Return the players of a match; reuse those of the last match if possible."""
        if not set(pairing.players) <= set(self._players):
            await self.leave()
            specs = {name: self._setup.plan.players[name] for name in pairing.players}
            serve = (sys.executable, *self._setup.serve)
            players = running_players(specs, self._setup.seats, serve, environment=self._setup.environment)
            self._players = await self._running.enter_async_context(players)
        return self._players
