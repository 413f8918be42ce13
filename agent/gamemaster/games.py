"""From what a user calls a game to its rules: a bundled name, a file, a URL, an entry of a game repository."""

from __future__ import annotations

import asyncio
import difflib
import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import aiohttp

import agent
from agent.gamemaster.errors import GameError, SheetError
from agent.protocol.elements import tokens
from reasoner.language.notation import is_infix
from reasoner.rules.convert import convert

ENDINGS = (".kif", ".gdl")
"""Of bundled rulesheets: KIF, and infix."""

BUNDLED = Path(agent.__file__).parent.parent / "games"
MAX_BYTES = 8 << 20
FETCH_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """A game's rules. `url` is the entry of the game repository they came from, else empty."""

    name: str
    text: str
    url: str = ""


def bundled() -> tuple[str, ...]:
    """The names of the bundled games, sorted."""
    return tuple(sorted(_sheets(), key=str.lower))


def _sheets() -> dict[str, Path]:
    return {path.stem: path for ending in ENDINGS for path in BUNDLED.glob(f"*{ending}")}


def bundled_game(name: str) -> Rulesheet:
    """The bundled game of this name. Raises GameError."""
    sheets = _sheets()
    if name not in sheets:
        raise GameError(f"there is no bundled game {name!r}.")
    return read_game(sheets[name])


@cache
def catalogue() -> list[dict[str, Any]]:
    """Name, roles and one sentence for each bundled game."""
    texts = {name: bundled_game(name).text for name in bundled()}
    return [{"name": name, "roles": role_names(text), "description": described(text)} for name, text in texts.items()]


def described(text: str) -> str:
    """The first sentence of the comment that a rulesheet begins with."""
    lines = re.match(r"(?:[;%][^\r\n]*[\r\n]+)*", text)
    comment = " ".join(line.lstrip(";% ") for line in lines[0].splitlines()) if lines else ""
    return re.split(r"(?<=[.:;])\s", comment)[0].rstrip(".:;")


def role_names(text: str) -> list[str]:
    """The roles in rulesheet order: the names in facts `(role x)` or `role(x)`."""
    if is_infix(text):
        return re.findall(r"\brole\(([a-z0-9]\w*)\)", re.sub(r"%.*", "", text))
    words = list(tokens(text))
    triples = zip(words, words[1:], words[2:], strict=False)
    return [name for bracket, word, name in triples if (bracket, word) == ("(", "role") and name[0] not in "(?"]


def find_game(game: str) -> Rulesheet:
    """The rulesheet that `game` names. Raises GameError."""
    if game.startswith(("http://", "https://")):
        return asyncio.run(fetch_game(game))
    if game in bundled():
        return bundled_game(game)
    if Path(game).is_file():
        return read_game(Path(game))
    if Path(game).is_dir():
        raise GameError(f"{game} is a folder; name a rulesheet in it.")
    close = difflib.get_close_matches(game, bundled(), n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise GameError(f"there is no bundled game and no file {game!r}.{hint}")


def kif_game(game: str) -> Rulesheet:
    """As `find_game`, with the rules in KIF: what every player can read. Raises GameError or RulesError."""
    sheet = find_game(game)
    return replace(sheet, text=convert(sheet.text, "kif").text) if is_infix(sheet.text) else sheet


def read_game(path: Path) -> Rulesheet:
    """The rulesheet in a file. Raises GameError."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise GameError(f"cannot read {path}: {error.strerror}.") from error
    return Rulesheet(path.stem, _decoded(data, str(path)))


async def fetch_game(url: str) -> Rulesheet:
    """The rulesheet at a URL, or the one that the repository entry there names. Raises GameError."""
    timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session:
            return await _fetched(session, url)
    except TimeoutError as error:
        raise GameError(f"{url} did not answer within {FETCH_SECONDS:g} s.") from error
    except (aiohttp.ClientError, ValueError) as error:
        raise GameError(f"cannot fetch {url}: {error or type(error).__name__}.") from error


async def _fetched(session: aiohttp.ClientSession, url: str) -> Rulesheet:
    text = await _text(session, url)
    if text.lstrip().startswith("<!") or text.lstrip()[:5].lower() == "<html":
        text = await _text(session, f"{url.rstrip('/')}/METADATA")  # a plain file server shows a folder's listing
    if not text.lstrip().startswith("{"):
        return Rulesheet(_last_part(url), text)
    sheet, entry = _entry(url.removesuffix("METADATA").rstrip("/") + "/", text)
    return Rulesheet(_last_part(url.removesuffix("METADATA")), await _text(session, sheet), entry)


def _entry(base: str, metadata: str) -> tuple[str, str]:
    """The URL of the rulesheet, and that of the entry with its version, from a repository's metadata."""
    try:
        entry = json.loads(metadata)
    except json.JSONDecodeError as error:
        raise GameError(f"{base} is neither a rulesheet nor metadata: line {error.lineno}: {error.msg}.") from error
    sheet, version = entry.get("rulesheet"), entry.get("version")
    if not isinstance(sheet, str) or not isinstance(version, int):
        raise GameError(f"the metadata at {base} has no `rulesheet` name and `version` number.")
    suffix = f"v{version}/"
    return base + sheet, base if base.endswith(f"/{suffix}") else base + suffix


async def _text(session: aiohttp.ClientSession, url: str) -> str:
    async with session.get(url, max_redirects=5) as response:
        if response.status != 200:
            raise GameError(f"{url} answered {response.status} {response.reason}.")
        data = bytearray()
        async for chunk in response.content.iter_chunked(1 << 16):
            data += chunk
            if len(data) > MAX_BYTES:
                break
        return _decoded(bytes(data), url)


def _decoded(data: bytes, source: str) -> str:
    """The text of a rulesheet; old files are Latin-1, where every byte means something."""
    if len(data) > MAX_BYTES:
        raise SheetError(f"{source} is larger than {MAX_BYTES >> 20} MiB; that is no rulesheet.")
    if b"\0" in data:
        raise SheetError(f"{source} is not text.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _last_part(url: str) -> str:
    """The game's name in a URL: its last part without ending, or the part before the version."""
    parts = [part for part in urlsplit(url).path.split("/") if part]
    if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
        parts.pop()
    return Path(unquote(parts[-1])).stem if parts else "game"
