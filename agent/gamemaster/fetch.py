"""Download of rulesheets from a URL, or from an entry of a game repository."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import aiohttp

from agent.gamemaster.errors import GameError
from agent.gamemaster.rulesheet import MAX_BYTES, Rulesheet, decoded

FETCH_SECONDS = 20.0
REDIRECTS = 5


def fetched_game(url: str) -> Rulesheet:
    """Run `fetch_game` synchronously. Raises GameError."""
    return asyncio.run(fetch_game(url))


async def fetch_game(url: str, redirects: int = REDIRECTS) -> Rulesheet:
    """Download a rulesheet from its URL, or from the URL of a repository entry. Raises GameError.

    Follows at most `redirects` redirects, also to other sites.
    """
    timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session:
            return await _fetched(_Reader(session, redirects), url)
    except TimeoutError as error:
        raise GameError(f"{url} did not answer within {FETCH_SECONDS:g} s.") from error
    except aiohttp.InvalidURL as error:
        raise GameError(f"cannot fetch {url!r:.80}: it is no address such as http://HOST/PATH.") from error
    except (aiohttp.ClientError, ValueError) as error:
        raise GameError(f"cannot fetch {url}: {error or type(error).__name__}.") from error


async def _fetched(reader: _Reader, url: str) -> Rulesheet:
    text = await reader.text(url)
    if text.lstrip().startswith("<!") or text.lstrip()[:5].lower() == "<html":
        text = await reader.text(f"{url.rstrip('/')}/METADATA")  # a file server may return a listing of the folder
    if not text.lstrip().startswith("{"):
        return Rulesheet(_last_part(url), text)
    sheet, entry = _entry(url.removesuffix("METADATA").rstrip("/") + "/", text)
    return Rulesheet(_last_part(url.removesuffix("METADATA")), await reader.text(sheet), entry)


def _entry(base: str, metadata: str) -> tuple[str, str]:
    """Parse a repository's metadata; return the URLs of the rulesheet and of the versioned entry."""
    try:
        entry = json.loads(metadata)
    except json.JSONDecodeError as error:
        raise GameError(f"{base} is neither a rulesheet nor metadata: line {error.lineno}: {error.msg}.") from error
    except RecursionError:
        raise GameError(f"{base} is neither a rulesheet nor metadata: its lists are nested too deeply.") from None
    sheet, version = entry.get("rulesheet"), entry.get("version")
    if not isinstance(sheet, str) or not isinstance(version, int):
        raise GameError(f"the metadata at {base} has no `rulesheet` name and `version` number.")
    suffix = f"v{version}/"
    return base + sheet, base if base.endswith(f"/{suffix}") else base + suffix


class _Reader:
    """Downloads texts in one session."""

    def __init__(self, session: aiohttp.ClientSession, redirects: int) -> None:
        self._session = session
        self._redirects = redirects

    async def text(self, url: str) -> str:
        """Download a text, up to the maximum size of a rulesheet."""
        follows = self._redirects > 0
        async with self._session.get(url, allow_redirects=follows, max_redirects=max(self._redirects, 1)) as response:
            if response.status != 200:
                raise GameError(f"{url} answered {response.status} {response.reason}.")
            data = bytearray()
            async for chunk in response.content.iter_chunked(1 << 16):
                data += chunk
                if len(data) > MAX_BYTES:
                    break
            return decoded(bytes(data), url)


def _last_part(url: str) -> str:
    """Return the game's name in a URL: the last part without suffix, except a version such as `v2`."""
    parts = [part for part in urlsplit(url).path.split("/") if part]
    if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
        parts.pop()
    return Path(unquote(parts[-1])).stem if parts else "game"
