"""The analyses on the page, and the queue for search places.

An analysis may search only while it has a place; the setting `page.analyses` is the number of places.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter

from agent.page.analysis import Analysis, follow_all
from agent.page.answers import Hint, Waiting
from agent.page.errors import PageError
from agent.page.history import MatchLog
from agent.page.host import KEY_BYTES, Host
from agent.page.readers import Readers
from agent.page.requests import asker
from agent.page.sources import Source, source_of

WAITING, FOR_ONE = 8, 3
"""Maximum requests that wait to open an analysis: of all clients, and of one client address. They start one by one."""
BESIDE = 4
"""Maximum analyses beyond the number of search places; they show positions and cannot search yet."""
TURN = 60.0
"""Seconds after which an analysis gives its place to the next one in the queue."""
PICK_UP = 5.0
"""Seconds within which an analysis with a place must start its search; after that, another one may take the place."""
ROUNDED = 10
"""Unit of the estimated waiting time in seconds."""
IN_USE = "the analysis board is in use. Raise `page.analyses` to allow more"


class Analyses:
    """The analyses on the page, and their search places."""

    def __init__(self, host: Host, readers: Readers) -> None:
        self._host = host
        self._readers = readers
        self._analyses: dict[str, Analysis] = {}
        self._places: dict[str, float] = {}  # start of the turn, by key of an analysis with a place
        self._queue: list[str] = []  # keys of analyses that wait for a place
        self._waiting: Counter[str] = Counter()  # requests that wait to open an analysis, by client address

    async def open(self, source: Source) -> Analysis:
        """Open an analysis at the initial position. Raises RulesFaultError, RefereeError, PageError."""
        who = asker.get()
        if self._waiting.total() >= WAITING or self._waiting[who] >= FOR_ONE:
            raise PageError("too many analyses are being opened; try again in a moment")
        self._waiting[who] += 1
        try:
            return await self._opened(source)
        finally:
            self._waiting -= Counter({who: 1})

    async def _opened(self, source: Source) -> Analysis:
        self._make_room()
        referee, _, roles = await self._readers.read(source.rules)
        analysis = Analysis(secrets.token_urlsafe(KEY_BYTES), source, roles, referee, self._host, self.pass_on)
        try:
            await analysis.begin()
            self._make_room()  # others may have opened analyses meanwhile
        except BaseException:
            analysis.close()
            raise
        self._analyses[analysis.key] = analysis
        return analysis

    def free(self, analysis: Analysis) -> bool:
        """Whether an analysis has a place, or would get one at once."""
        ending = [key for key in self._places if (one := self.get(key)) is None or one.left]
        return analysis.key in self._places or len(self._places) - len(ending) < self._host.settings.page.analyses

    def may_search(self, analysis: Analysis, *, hurried: bool = False) -> bool:
        """Give an analysis a place if possible, else add it to the queue; return whether it has a place.

        A `hurried` analysis also takes the place of an analysis whose page is reloading, and is not added to the queue.
        """
        if analysis.key not in self._places and analysis.key not in self._queue:
            self._queue.append(analysis.key)
        self.pass_on(analysis, hurried=hurried)
        if hurried and analysis.key in self._queue:
            self._queue.remove(analysis.key)
        return analysis.key in self._places

    def waiting(self, analysis: Analysis) -> Waiting | None:
        """Return the position of an analysis in the queue, and an upper bound of the time until its turn."""
        if analysis.key not in self._queue:
            return None
        ahead, now = self._queue.index(analysis.key), self._host.clock.now()
        left = sorted(max(TURN - (now - since), 0.0) for since in self._places.values()) or [0.0]
        rounds, turn = divmod(ahead, len(left))
        return {"place": ahead + 1, "seconds": ROUNDED * math.ceil((left[turn] + rounds * TURN) / ROUNDED)}

    def pass_on(self, asking: Analysis | None = None, *, hurried: bool = False) -> None:
        """Give free places, and places of analyses whose turn ends, to the analyses at the front of the queue.

        An analysis without an open page leaves the queue, unless it is `asking`, the source of this call.
        """
        now, before = self._host.clock.now(), (list(self._queue), list(self._places))
        there = ((key, self.get(key)) for key in self._queue)
        self._queue = [key for key, one in there if one is not None and (one is asking or not one.gone)]
        self._places = {key: since for key, since in self._places.items() if self.get(key) is not None}
        free = self._host.settings.page.analyses - len(self._places)
        for key, since in sorted(self._places.items(), key=lambda item: self._analyses[item[0]].watchers > 0):
            one = self._analyses[key]
            if len(self._queue) > free and _ends(one, now - since, hurried=hurried):
                del self._places[key]
                free += 1
                if one.searching and one.watchers:
                    self._queue.append(key)
                one.think(None)
        while self._queue and len(self._places) < self._host.settings.page.analyses:
            self._places[self._queue.pop(0)] = now
        if before != (self._queue, list(self._places)):
            self._host.gallery.signal.change()

    async def hint(self, log: MatchLog, role: int | None, seconds: float) -> Hint:
        """Return the agent's move as `role` in the last position of a match, and its value.

        Raises PageError if the position cannot be searched, or if all searches are in use.
        """
        if role is None:
            raise PageError("you have no role in this game")
        source = source_of(log)
        analysis = await self.open(source)
        analysis.watchers += 1  # who waits for the hint; else its place is free for others
        try:
            if not self.may_search(analysis, hurried=True):
                raise PageError(IN_USE)
            node = await follow_all(analysis, source.joints)
            figures = await analysis.best(node.number, role, seconds)
        finally:
            analysis.close()
        if "best" not in figures:
            raise PageError("the search found no move in time; try again")
        return {"move": figures["best"], "value": figures.get("value")}

    def get(self, key: str) -> Analysis | None:
        """Return the analysis with this key, unless it is closed."""
        analysis = self._analyses.get(key)
        if analysis is not None and analysis.closed:
            del self._analyses[key]
            return None
        return analysis

    def drop(self, analysis: Analysis) -> None:
        """Close an analysis to make room, or because no page is going to show it."""
        analysis.close("another one needed its place")
        self._analyses.pop(analysis.key, None)

    def close(self) -> None:
        """Close all analyses."""
        for analysis in self._analyses.values():
            analysis.close()

    def _make_room(self) -> None:
        """Close unused analyses if there are too many, then those of a greedy client address. Raises PageError."""
        limit = self._host.settings.page.analyses
        if limit < 1:
            raise PageError("analysis is disabled on this agent; set page.analyses to 1 or more")
        self._analyses = {key: analysis for key, analysis in self._analyses.items() if not analysis.closed}
        while len(self._analyses) >= limit + BESIDE:
            if (spare := self._spare()) is None:
                raise PageError("too many analyses are open on this agent; try again when one of them is closed")
            self.drop(spare)

    def _spare(self) -> Analysis | None:
        """Return an analysis to close for a new one: the longest unused, or one of an address with many more."""
        unseen = [one for one in self._analyses.values() if not one.watchers]
        if unseen:
            return min(unseen, key=lambda one: one.seen)
        counts = Counter(one.asker for one in self._analyses.values())
        greedy, count = counts.most_common(1)[0]
        mine = [one for one in self._analyses.values() if one.asker == greedy]
        return mine[0] if count > counts[asker.get()] + 1 else None


def _ends(analysis: Analysis, seconds: float, *, hurried: bool) -> bool:
    """Whether an analysis must give up its place after a turn of `seconds` if others wait."""
    left = analysis.left or (hurried and not analysis.watchers)
    return left or seconds >= TURN or (seconds >= PICK_UP and not analysis.searching)
