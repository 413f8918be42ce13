"""Rulesheets that links name, as they are too long to travel in a link: the last ones, in memory."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

from agent.page.errors import PageError

MOST = 64
"""Rulesheets that are kept."""
MAX_CHARACTERS = 16 << 20
"""Characters of all of them together."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rules under a title."""

    title: str
    rules: str


class Sheets:
    """The rulesheets of links by a key that is made of their text; the one not asked for the longest leaves first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Sheet] = OrderedDict()

    def keep(self, sheet: Sheet) -> str:
        """The key of a rulesheet, which is kept from now on. Raises PageError where it is longer than all may be."""
        if len(sheet.rules) > MAX_CHARACTERS:
            raise PageError(f"a rulesheet that a link names has at most {MAX_CHARACTERS:,} characters")
        key = hashlib.sha256(f"{sheet.title}\n{sheet.rules}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._kept[key] = sheet
        self._kept.move_to_end(key)
        while len(self._kept) > MOST or sum(len(each.rules) for each in self._kept.values()) > MAX_CHARACTERS:
            self._kept.popitem(last=False)
        return key

    def get(self, key: str) -> Sheet:
        """The rulesheet of a key. Raises PageError where it is not kept."""
        if key not in self._kept:
            raise PageError("the rules of this link are not kept any more; ask its sender for the rulesheet itself")
        self._kept.move_to_end(key)
        return self._kept[key]
