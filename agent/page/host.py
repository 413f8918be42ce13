"""Interface of the page to its agent."""

from __future__ import annotations

from dataclasses import dataclass

from agent.page.referee import Referee
from agent.page.watching import Gallery
from agent.protocol.messages import Message
from agent.server.matches import Matches
from agent.server.origins import Origins
from agent.server.token import Token
from agent.server.waiters import Gone
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

KEY_BYTES = 16
"""Random bytes of the secret key of a game or an analysis."""


@dataclass(frozen=True, slots=True)
class Host:
    """Parts of one agent, made by `agent.serve`."""

    settings: Settings
    matches: Matches
    workers: Workers
    gallery: Gallery  # logs of the matches
    clock: Clock
    origins: Origins  # which browser requests are accepted
    token: Token  # which requests of the page are accepted

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.settings.server.name

    async def ask(self, message: Message, sender: str | None = None, gone: Gone = lambda: False) -> str:
        """Return the reply to a message that arrives now; without `sender` the page itself sent it.

        `gone` says whether nobody waits for the reply any more. Raises ProtocolError.
        """
        return await self.matches.answer(message, self.clock.now(), gone, sender)

    def new_referee(self) -> Referee:
        """Return a referee for one game; its process starts with the first command."""
        return Referee(self.workers)
