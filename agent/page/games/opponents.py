"""Players beside the agent's own that the host offers on the page: specifications and addresses, by name.

A visitor names one of them. No specification or address ever comes from a request.
"""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp
import structlog

from agent.gamemaster.player import LateError, LostError, RemotePlayer, session
from agent.knowledge.file_names import nothing_stored
from agent.page.games.opponent_list import opponents_of
from agent.protocol.messages import ImperfectPlay, Message, Play, Start
from agent.resources import knowledge_folder
from agent.settings import Settings

UNSTUDIED, WITHOUT_STUDY = "the agent without its studies", "mcts:knowledge=false"
"""An opponent that is offered if the agent's own player uses studied games and has some."""
GRACE, OTHER_SECONDS = 2.0, 5.0
"""Seconds beyond the clock in which an answer of a remote player must arrive; seconds for messages without a clock."""


def offered(settings: Settings) -> Mapping[str, str]:
    """Return the players that a visitor may choose besides the agent's own."""
    found = opponents_of(settings.page.opponents)
    studied = settings.player.spec == "mcts" and not nothing_stored(knowledge_folder(settings.knowledge.folder))
    return {UNSTUDIED: WITHOUT_STUDY, **found} if studied else found


class RemoteOpponent:
    """A player at an address, in one game."""

    def __init__(self, name: str, url: str) -> None:
        self._name = name
        self._url = url
        self._http: aiohttp.ClientSession | None = None
        self._clocks = (0.0, 0.0)
        self._told = False  # whether a missing answer was logged

    async def ask(self, message: Message) -> str:
        """Return the player's answer; empty if none came in time. START must be answered with READY."""
        if self._http is None:
            self._http = session()
        if isinstance(message, Start):
            self._clocks = message.start_clock, message.play_clock
        start, play = self._clocks
        plays = isinstance(message, Play | ImperfectPlay)
        seconds = start + GRACE if isinstance(message, Start) else play + GRACE if plays else OTHER_SECONDS
        try:
            return await RemotePlayer(self._http, self._name, self._url).ask(message, seconds)
        except (LateError, LostError) as error:
            self._tell(str(error))
            return ""

    def _tell(self, reason: str) -> None:
        """Log the first missing answer of the game."""
        if not self._told:
            self._told = True
            log = structlog.get_logger().bind(opponent=self._name, url=self._url)
            log.warning("an opponent of the page does not answer", reason=reason)

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.close()
