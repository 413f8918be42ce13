"""HTTP client of one player; it sends messages in the form of ggp-base."""

from __future__ import annotations

import asyncio
import math
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

MAX_ANSWER = 1 << 20  # bytes; a move is a few tens of bytes long
INFO_SECONDS = 5.0
FIGURES_SECONDS = 1.0  # time limit of INFO between two moves, which is only for statistics

_AUTOMATIC = ("Accept-Encoding", "User-Agent")  # headers of aiohttp that no manager sends


class LateError(Exception):
    """The player did not answer in time."""


class LostError(Exception):
    """There was no connection, or no HTTP response."""


def session() -> aiohttp.ClientSession:
    """Create an HTTP session that sends as other game managers do: HTTP/1.0, and a new connection per message."""
    connector = aiohttp.TCPConnector(force_close=True, limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    return aiohttp.ClientSession(
        connector=connector, timeout=timeout, version=aiohttp.HttpVersion10, skip_auto_headers=_AUTOMATIC
    )


@dataclass(frozen=True)
class RemotePlayer:
    """A player at `url`; records and tables use `name`. Local players have `failures`."""

    http: aiohttp.ClientSession
    name: str
    url: str
    failures: FailureLog | None = None

    async def ask(self, message: Message, seconds: float) -> str:
        """Send a message and return the answer. Raises LateError after `seconds`, LostError without a connection."""
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
        """Return the player's answer to INFO: name, status and figures. Raises PlayerError."""
        try:
            return read_info(await self.ask(Info(), seconds))
        except (LateError, LostError) as error:
            raise PlayerError(f"player {self.name} does not answer: {self.url}: {error}.") from error
        except ProtocolError as error:
            raise PlayerError(
                f"player {self.name} at {self.url} does not speak the match protocol: {error}."
            ) from error


class PlayoutRates:
    """Playout rates of the players of a match, from the figures in their answers to INFO.

    A player that fails to answer INFO once is not asked again.
    """

    def __init__(self, players: Sequence[RemotePlayer]) -> None:
        self._players = players
        self._playouts = [0.0] * len(players)
        self._seconds = [0.0] * len(players)
        self._silent: set[int] = set()

    async def ask(self) -> None:
        """Add the figures of each player's last move. Call this method once after each step."""
        await asyncio.gather(*(self._ask(index) for index in range(len(self._players)) if index not in self._silent))

    def rates(self) -> tuple[float | None, ...]:
        """Return the playouts per second of each player; None for a player that reports no figures."""
        return tuple(round(p / s, 1) if s > 0 else None for p, s in zip(self._playouts, self._seconds, strict=True))

    async def _ask(self, index: int) -> None:
        try:
            info = await self._players[index].info(FIGURES_SECONDS)
            playouts, seconds = _figure(info["playouts"]), _figure(info["seconds"])
        except (PlayerError, ValueError):
            self._silent.add(index)
        except KeyError:
            pass  # no move yet, or a player without figures
        else:
            self._playouts[index] += playouts
            self._seconds[index] += seconds


def _figure(text: str) -> float:
    """Parse a figure of an answer to INFO. Raises ValueError if it is no finite number from 0 on."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(text)
    return value


async def _body(response: aiohttp.ClientResponse) -> str:
    """Return the answer's text, regardless of its status. Raises LostError if it is too long."""
    data = bytearray()
    async for chunk in response.content.iter_any():
        data += chunk
        if len(data) > MAX_ANSWER:
            raise LostError(f"an answer longer than {MAX_ANSWER} bytes")
    return data.decode("utf-8", "replace").strip()
