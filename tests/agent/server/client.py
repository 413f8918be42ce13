"""An agent under test on a free port, and a manager that speaks to it over raw sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.page.watching import Gallery
from agent.serve import running
from agent.server.matches import Matches
from agent.server.workers import Workers
from agent.settings import load_settings


class Agent:
    """Where the agent under test listens, its workers, its matches and what is seen of them."""

    def __init__(self, url: str, workers: Workers, matches: Matches, gallery: Gallery) -> None:
        host, port = url.removeprefix("http://").rsplit(":", 1)
        self.host, self.port = host, int(port)
        self.workers = workers
        self.matches = matches
        self.gallery = gallery

    async def raw(self, request: bytes, *, half_close: bool = False) -> bytes:
        """Everything that comes back until the agent closes the connection."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(request)
            if half_close:
                writer.write_eof()
            return await reader.read()
        finally:
            writer.close()

    async def reply(self, text: str | bytes) -> tuple[int, str]:
        """Status and body of the answer to one message."""
        body = text if isinstance(text, bytes) else text.encode()
        answer = await self.raw(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        head, _, content = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), content.decode()

    async def ask(self, text: str, _seconds: float = 0.0) -> str:
        """The answer to a message that the agent serves."""
        status, content = await self.reply(text)
        assert status == 200, content
        return content

    async def start(self, rules: str, role: str, clocks: str = "1 20", match: str = "m") -> str:
        """The answer to START."""
        return await self.ask(f"(START {match} {role} ({rules}) {clocks})")

    async def until_info_says(self, word: str) -> None:
        """Ask INFO again and again until the answer holds `word`."""
        while word not in await self.ask("(INFO)"):
            pass


@asynccontextmanager
async def agent(player: str = "legal", **flags: object) -> AsyncIterator[Agent]:
    """An agent; `flags` are settings with two underscores for the dot."""
    given = {"server.port": 0, "player.spec": player, "worker.engine": "relational"}
    given |= {"server.matches": 1, "page.analyses": 1}  # on every machine
    given |= {key.replace("__", "."): value for key, value in flags.items()}
    async with running(load_settings(environment={}, flags=given)) as one:
        await one.workers.wait_warm()
        yield Agent(one.url, one.workers, one.matches, one.gallery)
