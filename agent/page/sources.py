"""Sources of rules: a bundled game, pasted rules, a URL, or a match in the history."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from agent.errors import ProtocolError
from agent.gamemaster.fetch import fetch_game
from agent.gamemaster.games import bundled, bundled_game
from agent.page.archive import Archive
from agent.page.errors import PageError
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.requested import RulesRequest
from agent.page.sheets import Sheets
from agent.page.titles import title_of
from agent.protocol.elements import canonical, cut
from agent.server.origins import EVERYBODY, sites

MAX_FACTS_TEXT = 200_000
"""Maximum characters of a pasted position."""


@dataclass(frozen=True, slots=True)
class Source:
    """Rules with a title, and the joint moves made so far."""

    title: str
    rules: str
    joints: tuple[tuple[str, ...], ...] = ()
    facts: tuple[str, ...] = ()  # position before the moves; empty: the initial position


class Sources:
    """Finds the rules that a request names. Raises PageError with the reason if a source is not available.

    The constructor raises SettingsError for a wrong list of sites.
    """

    def __init__(self, host: Host, archive: Archive) -> None:
        self._host = host
        self._sites = sites("page.urls", host.settings.page.urls)
        self._archive = archive
        self.sheets = Sheets()

    async def of(self, asked: RulesRequest) -> Source:
        """Return the source that a request names; its moves start from its ``facts``, if given."""
        facts = tuple(facts_of(asked["facts"])) if "facts" in asked else ()
        joints = tuple(map(tuple, asked.get("moves", [])))
        named = await self._named(asked, joints)
        return replace(named, facts=facts, joints=named.joints if not facts else joints)

    async def _named(self, asked: RulesRequest, joints: tuple[tuple[str, ...], ...]) -> Source:
        if "game" in asked:
            return _bundled(asked["game"], joints)
        if "url" in asked:
            return await self._fetched(asked["url"], joints)
        if "match" in asked:
            return await self._known(asked["match"], joints)
        if "sheet" in asked:
            sheet = self.sheets.get(asked["sheet"])
            return Source(sheet.title, sheet.rules, joints)
        if "rules" not in asked:
            raise PageError("the request names no rules: give `game`, `rules`, `sheet`, `url` or `match`")
        return Source(title_of(asked["rules"], asked.get("name") or ""), asked["rules"], joints)

    async def _fetched(self, url: str, joints: tuple[tuple[str, ...], ...]) -> Source:
        if not _allowed(url, self._sites):
            raise PageError("this agent may not read rules from this site; add the site to the setting page.urls")
        sheet = await fetch_game(url, redirects=0)
        return Source(sheet.name, sheet.text, joints)

    async def _known(self, key: int, joints: tuple[tuple[str, ...], ...]) -> Source:
        log = self._host.gallery.history.get(key)
        if log is None:
            raise PageError("this match is not in the history; choose one under History")
        await self._archive.fill(log)
        return source_of(log, joints)


def facts_of(text: str) -> list[str]:
    """Parse the facts of a pasted position: a sequence, or one list. Raises PageError."""
    if len(text) > MAX_FACTS_TEXT:
        raise PageError(f"a position must have at most {MAX_FACTS_TEXT:,} characters")
    try:
        outer, inner = cut(text)
    except ProtocolError as error:
        raise PageError(f"the position cannot be read: {error}") from None
    lists = len(outer) == 1 and outer[0].is_list and inner and inner[0].is_list
    facts = [canonical(text[part.start : part.end]) for part in (inner if lists else outer)]
    facts = [fact.removeprefix("(true ").removesuffix(")") if fact.startswith("(true ") else fact for fact in facts]
    if not facts:
        raise PageError("a position must have at least one fact, such as (control white)")
    return facts


def source_of(log: MatchLog, joints: tuple[tuple[str, ...], ...] = ()) -> Source:
    """Return the rules of a match with the moves `joints`, or with the match's own moves. Raises PageError."""
    if not log.rules:
        raise PageError("the rules of this match were not stored")
    return Source(log.title, log.rules, joints or tuple(moment.joint for moment in log.moments[1:]))


def _bundled(name: str, joints: tuple[tuple[str, ...], ...]) -> Source:
    if name not in bundled():
        raise PageError("no bundled game has this name; `ggp-agent games` lists them")
    return Source(name, bundled_game(name).text, joints)


def _allowed(url: str, known: Set[str]) -> bool:
    """Whether rules may be read from a URL: its scheme and host are those of a site in the setting."""
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
    return named and (EVERYBODY in known or f"{parts.scheme}://{parts.netloc}".casefold() in known)
