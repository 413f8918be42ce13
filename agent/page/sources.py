"""What is to be played or analysed: a bundled game, pasted rules, rules at an address, or a match that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from agent.gamemaster.fetch import fetch_game
from agent.gamemaster.games import bundled, bundled_game
from agent.page.archive import PASTED, Archive
from agent.page.errors import PageError
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.requests import joints_of, text_of

MAX_LINE = 1_000
"""Joint moves that a request may bring."""


@dataclass(frozen=True, slots=True)
class Source:
    """Rules under a title, and the joint moves made so far."""

    title: str
    rules: str
    joints: tuple[tuple[str, ...], ...] = ()


class Sources:
    """Raises PageError on what is not to be had, with the reason."""

    def __init__(self, host: Host, archive: Archive) -> None:
        self._host = host
        self._archive = archive

    async def of(self, asked: dict[str, Any]) -> Source:
        """What a request names, by one of ``game``, ``rules``, ``url``, ``match``; ``moves`` are joint moves made."""
        joints = tuple(joints_of(asked, "moves", MAX_LINE))
        if "game" in asked:
            return _bundled(text_of(asked, "game"), joints)
        if "url" in asked:
            return await self._fetched(text_of(asked, "url"), joints)
        if "match" in asked:
            return await self._known(asked["match"], joints)
        return Source(PASTED, text_of(asked, "rules"), joints)

    async def _fetched(self, url: str, joints: tuple[tuple[str, ...], ...]) -> Source:
        if not _allowed(url, self._host.settings.page.urls):
            raise PageError(
                "this agent reads no rules from there; the setting page.urls names the sites that it may read"
            )
        sheet = await fetch_game(url, redirects=0)
        return Source(sheet.name, sheet.text, joints)

    async def _known(self, key: object, joints: tuple[tuple[str, ...], ...]) -> Source:
        log = self._host.gallery.history.get(key) if isinstance(key, int) else None
        if log is None:
            raise PageError("this match is not kept any more")
        await self._archive.fill(log)
        return source_of(log, joints)


def source_of(log: MatchLog, joints: tuple[tuple[str, ...], ...] = ()) -> Source:
    """The rules of a match, and its moves where no others are given. Raises PageError."""
    if not log.rules:
        raise PageError("the rules of this match were not kept")
    return Source(log.title, log.rules, joints or tuple(moment.joint for moment in log.moments[1:]))


def _bundled(name: str, joints: tuple[tuple[str, ...], ...]) -> Source:
    if name not in bundled():
        raise PageError("there is no such bundled game; `ggp-agent games` lists them")
    return Source(name, bundled_game(name).text, joints)


def _allowed(url: str, sites: str) -> bool:
    """Whether rules may be read from an address: its scheme and name are those of a site in the setting."""
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
    known = [site.strip().rstrip("/") for site in sites.split(",") if site.strip()]
    return named and ("*" in known or f"{parts.scheme}://{parts.netloc}" in known)
