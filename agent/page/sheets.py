"""Store of rulesheets that are too long for a link, or of studies: the last ones, in memory."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

from agent.page.errors import PageError

MAX_SHEETS = 64
"""Maximum rulesheets in the store."""
MAX_CHARACTERS = 16 << 20
"""Maximum characters of all rulesheets together."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rules under a title."""

    title: str
    rules: str


class Sheets:
    """Rulesheets by a hash of their text; the least recently used one is dropped first."""

    def __init__(self, what: str = "rulesheet") -> None:
        self._what = what  # what is stored, for messages
        self._kept: OrderedDict[str, Sheet] = OrderedDict()

    def keep(self, sheet: Sheet) -> str:
        """Store a rulesheet and return its key. Raises PageError if it is too long."""
        if len(sheet.rules) > MAX_CHARACTERS:
            raise PageError(f"a {self._what} in a link must have at most {MAX_CHARACTERS:,} characters")
        key = hashlib.sha256(f"{sheet.title}\n{sheet.rules}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._kept[key] = sheet
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_SHEETS or sum(len(each.rules) for each in self._kept.values()) > MAX_CHARACTERS:
            self._kept.popitem(last=False)
        return key

    def get(self, key: str) -> Sheet:
        """Return the rulesheet of a key. Raises PageError if it is not stored."""
        if key not in self._kept:
            raise PageError(f"the {self._what} of this link is no longer stored; ask its sender for it")
        self._kept.move_to_end(key)
        return self._kept[key]
