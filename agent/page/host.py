"""The agent that a page belongs to: what every part of the page may look at, ask, and have done."""

from __future__ import annotations

from dataclasses import dataclass

from agent.page.referee import Referee
from agent.page.watching import Gallery
from agent.protocol.messages import Message
from agent.server.matches import Matches
from agent.server.origins import Origins
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

KEY_BYTES = 16
"""Random bytes of what only the visitor knows who began a game or an analysis."""


@dataclass(frozen=True, slots=True)
class Host:
    """One agent's parts, made by `agent.serve`."""

    settings: Settings
    matches: Matches
    workers: Workers
    gallery: Gallery  # what has been seen of the matches
    clock: Clock
    origins: Origins  # which requests of browsers are obeyed

    @property
    def name(self) -> str:
        """How the agent calls itself."""
        return self.settings.server.name

    async def ask(self, message: Message, sender: str | None = None) -> str:
        """The answer to a message that arrives now, whatever becomes of who sent it; without `sender` the page itself.

        Raises ProtocolError.
        """
        return await self.matches.answer(message, self.clock.now(), lambda: False, sender)

    def new_referee(self) -> Referee:
        """A process for the rules of one game, begun when it is asked something."""
        return Referee(self.workers)
