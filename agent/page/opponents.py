"""Players beside the agent's own that the host offers on the page: specifications and addresses, by name.

A visitor names one of them. No specification or address ever comes from a request.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import aiohttp

from agent.errors import SettingsError, SpecError
from agent.gamemaster.addresses import has_host, is_url
from agent.gamemaster.player import LateError, LostError, RemotePlayer, session
from agent.knowledge.folder import knowledge_of
from agent.players.spec import check_spelling
from agent.protocol.messages import ImperfectPlay, Message, Play, Start
from agent.settings import Settings

UNSTUDIED, WITHOUT_STUDY = "the agent without its studies", "mcts:knowledge=false"
"""An opponent that is offered if the agent's own player uses studied games and has some."""
GRACE, OTHER_SECONDS = 2.0, 5.0
"""Seconds beyond the clock in which an answer of a remote player must arrive; seconds for messages without a clock."""
MAX_OPPONENTS = 32


def opponents_of(text: str) -> Mapping[str, str]:
    """Parse the setting page.opponents: specifications by name. Raises SettingsError."""
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, spec = (word.strip() for word in part.partition("="))
        if not (name and equals and spec) or name in found:
            raise SettingsError(f"page.opponents: {part!r:.80} must be NAME=PLAYER, each name once")
        if is_url(spec):
            if not has_host(spec):
                raise SettingsError(
                    f"page.opponents: {spec!r:.80} of {name!r:.80} is not the address of a player:"
                    " write NAME=http://HOST:PORT"
                )
        else:
            try:
                check_spelling(spec)
            except SpecError as error:
                raise SettingsError(f"page.opponents: {error}") from None
        found[name] = spec
    if len(found) > MAX_OPPONENTS:
        raise SettingsError(f"page.opponents: at most {MAX_OPPONENTS} players")
    return MappingProxyType(found)


def offered(settings: Settings) -> Mapping[str, str]:
    """Return the players that a visitor may choose besides the agent's own."""
    found = opponents_of(settings.page.opponents)
    studied = settings.player.spec == "mcts" and not knowledge_of(settings.knowledge).empty
    return {UNSTUDIED: WITHOUT_STUDY, **found} if studied else found


class RemoteOpponent:
    """A player at an address, in one game."""

    def __init__(self, name: str, url: str) -> None:
        self._name = name
        self._url = url
        self._http: aiohttp.ClientSession | None = None
        self._clocks = (0.0, 0.0)

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
        except (LateError, LostError):
            return ""

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.close()
