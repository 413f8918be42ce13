"""One player at the other end of HTTP: a message goes out as ggp-base sends it, an answer comes in time or not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from agent.errors import ProtocolError
from agent.gamemaster.errors import PlayerError
from agent.gamemaster.failures import FailureLog
from agent.protocol.messages import Info, Message
from agent.protocol.read import read_info
from agent.protocol.write import write_message

MAX_ANSWER = 1 << 20  # bytes; a move is some tens
INFO_SECONDS = 5.0
FIGURES_SECONDS = 1.0  # INFO between two moves, when nothing depends on the answer

_AUTOMATIC = ("Accept-Encoding", "User-Agent")  # aiohttp's own headers, which no manager sends


class LateError(Exception):
    """No answer in time."""


class LostError(Exception):
    """No connection, or no HTTP answer on it."""


def session() -> aiohttp.ClientSession:
    """HTTP/1.0 and a new connection for each message, as game managers do it."""
    connector = aiohttp.TCPConnector(force_close=True, limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    return aiohttp.ClientSession(
        connector=connector, timeout=timeout, version=aiohttp.HttpVersion10, skip_auto_headers=_AUTOMATIC
    )


@dataclass(frozen=True)
class RemotePlayer:
    """A player at `url`; `name` is what records and tables call it. `failures` are told of one of this machine."""

    http: aiohttp.ClientSession
    name: str
    url: str
    failures: FailureLog | None = None

    async def ask(self, message: Message, seconds: float) -> str:
        """The answer's text. Raises LateError after `seconds` without a whole one, LostError when none can come."""
        headers = {
            "Accept": "text/delim",
            "Sender": "GAMESERVER",
            "Receiver": re.sub(r"[^ -~]", "_", self.name),
            "Content-Type": "text/acl",
        }
        try:
            async with (
                asyncio.timeout(seconds),
                self.http.post(self.url, data=write_message(message).encode(), headers=headers) as response,
            ):
                return await _body(response)
        except TimeoutError as error:
            raise LateError(f"no answer within {seconds:g} s") from error
        except (aiohttp.ClientError, OSError) as error:
            raise LostError(str(error) or type(error).__name__) from error

    async def info(self, seconds: float = INFO_SECONDS) -> dict[str, str]:
        """What the player says of itself: its name, its status, and what else it tells. Raises PlayerError."""
        try:
            return read_info(await self.ask(Info(), seconds))
        except (LateError, LostError) as error:
            raise PlayerError(f"player {self.name} is not there: {self.url}: {error}.") from error
        except ProtocolError as error:
            raise PlayerError(
                f"player {self.name} at {self.url} does not speak the match protocol: {error}."
            ) from error


class PlayoutRates:
    """How fast the players of a match play games out: sums of what INFO tells of their last moves.

    A player that once does not answer INFO is not asked again.
    """

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
            info = await self._players[index].info(FIGURES_SECONDS)
            playouts, seconds = float(info["playouts"]), float(info["seconds"])
        except (PlayerError, ValueError):
            self._silent.add(index)
        except KeyError:
            pass  # no move yet, or a player that keeps its figures to itself
        else:
            self._playouts[index] += playouts
            self._seconds[index] += seconds


async def _body(response: aiohttp.ClientResponse) -> str:
    """The answer's text, whatever its status. Raises LostError when it is far too long."""
    data = bytearray()
    async for chunk in response.content.iter_any():
        data += chunk
        if len(data) > MAX_ANSWER:
            raise LostError(f"an answer longer than {MAX_ANSWER} bytes")
    return data.decode("utf-8", "replace").strip()
