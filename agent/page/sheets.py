"""Store of rulesheets that are too long for a link, or of studies: the last ones, in memory."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from dataclasses import dataclass

from agent.page.errors import PageError
from agent.page.requests import asker

MAX_SHEETS = 64
"""Maximum rulesheets in the store."""
MAX_CHARACTERS, MAX_EACH = 16 << 20, 4 << 20
"""Maximum characters of all rulesheets together, and of one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rules under a title."""

    title: str
    rules: str


class Sheets:
    """Rulesheets by a hash of their text.

    Past a limit, the client address with the most rulesheets loses its least recently used one.
    """

    def __init__(self, what: str = "rulesheet") -> None:
        self._what = what  # what is stored, for messages
        self._kept: OrderedDict[str, Sheet] = OrderedDict()
        self._senders: dict[str, str] = {}  # client address by key

    def keep(self, sheet: Sheet) -> str:
        """Store a rulesheet and return its key. Raises PageError if it is too long."""
        if len(sheet.rules) > MAX_EACH:
            raise PageError(f"a {self._what} in a link must have at most {MAX_EACH:,} characters")
        key = hashlib.sha256(f"{sheet.title}\n{sheet.rules}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._kept[key] = sheet
        self._senders.setdefault(key, asker.get())
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_SHEETS or sum(len(each.rules) for each in self._kept.values()) > MAX_CHARACTERS:
            self._drop(key)
        return key

    def _drop(self, newest: str) -> None:
        """Remove a rulesheet, not `newest`."""
        stored: Counter[str] = Counter()  # characters; few rulesheets weigh as much as many short ones
        for key, sheet in self._kept.items():
            stored[self._senders[key]] += len(sheet.rules) + MAX_CHARACTERS // MAX_SHEETS
        others = (key for key in self._kept if key != newest)
        dropped = max(others, key=lambda key: stored[self._senders[key]])  # of equal ones the first
        del self._kept[dropped], self._senders[dropped]

    def get(self, key: str) -> Sheet:
        """Return the rulesheet of a key. Raises PageError if it is not stored."""
        if key not in self._kept:
            raise PageError(f"the {self._what} of this link is no longer stored; ask its sender for it")
        self._kept.move_to_end(key)
        return self._kept[key]
