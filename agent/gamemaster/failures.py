"""Failures of local players, extracted from their agents' logs.

A failed move is a move that the player did not choose: the player raised an exception, returned an illegal move or was
late, or its process ended. The agent then plays a legal move, so that the failure is not visible in the match itself.
"""

from __future__ import annotations

import os
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO

CHUNK_BYTES = 1 << 20
LONGEST_LINE = 1 << 16
"""Maximum bytes of a line; the agent's own lines are shorter."""
INSTEAD = "; another legal move was played"
MAX_KINDS = 50
"""Maximum number of failure kinds per player."""

RAISED, ILLEGAL = "the player failed", "the player chose an illegal move"
LATE, HUNG, DIED = "the worker is late", "the worker hangs and is stopped", "the worker died"
"""The event names in the agent's log."""

_EVENT = re.compile(rf"\[(?:error|warning)\s*\] ({'|'.join((RAISED, ILLEGAL, LATE, HUNG, DIED))})\s+(.*)$")
_PAIR = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)")


@dataclass(frozen=True, slots=True)
class FailureKind:
    """A kind of failure and its count. Failures of the same `kind` may have different texts."""

    kind: str
    what: str  # "play raised KeyError: 3 (mine.py:9)"
    times: int


def together(told: Iterable[FailureKind]) -> tuple[FailureKind, ...]:
    """Merge failures by kind, the most frequent first."""
    times, words = Counter[str](), dict[str, str]()
    for one in told:
        times[one.kind] += one.times
        words.setdefault(one.kind, one.what)
    return tuple(FailureKind(kind, words[kind], count) for kind, count in times.most_common())


class FailureLog:
    """The failures in the log file of one agent. `read` processes the new lines."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._offset = os.fstat(file.fileno()).st_size  # skip the log of earlier runs
        self._rest = b""
        self._moves: dict[str, set[int]] = {}  # numbers of the failed PLAY messages, by match
        self._kinds: dict[str, FailureKind] = {}
        self._told: Counter[str] = Counter()  # reported count of each kind
        self._hung: set[str] = set()  # matches whose silent process was killed

    def read(self) -> None:
        """Process the new lines."""
        number = self._file.fileno()
        while chunk := os.pread(number, CHUNK_BYTES, self._offset):  # a seek would move the agent's write position
            self._offset += len(chunk)
            *lines, rest = (self._rest + chunk).split(b"\n")
            self._rest = rest[-LONGEST_LINE:]
            for line in lines:
                if b" question=" in line:
                    self._take(line[-LONGEST_LINE:].decode("utf-8", "replace"))

    def moves(self, match_id: str) -> frozenset[int]:
        """Return the failed moves of a match, by number from 1."""
        return frozenset(self._moves.get(match_id, ()))

    @property
    def kinds(self) -> tuple[FailureKind, ...]:
        """All failures by kind, the most frequent first."""
        return together(self._kinds.values())

    def news(self) -> tuple[FailureKind, ...]:
        """Return the failures since the last call."""
        new = [replace(one, times=one.times - self._told[kind]) for kind, one in self._kinds.items()]
        self._told.update({one.kind: one.times for one in new})
        return tuple(one for one in new if one.times)

    def _take(self, line: str) -> None:
        found = _EVENT.search(line)
        if found is None:
            return
        values = {key: _plain(value) for key, value in _PAIR.findall(found[2])}
        told = self._words(found[1], values)
        if told is None:
            return
        kind, what = told
        if kind in self._kinds or len(self._kinds) < MAX_KINDS:
            known = self._kinds.get(kind, FailureKind(kind, what, 0))
            self._kinds[kind] = replace(known, times=known.times + 1)
        if (question := values.get("question", "")).isdigit() and int(question) > 0:
            self._moves.setdefault(values.get("match", ""), set()).add(int(question))

    def _words(self, event: str, values: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the kind and the text of an event; None if the event is not a failure of the player."""
        if event == RAISED:
            during, reason, place = (values.get(key, "?") for key in ("during", "reason", "place"))
            kind, what = f"{during} {reason.partition(':')[0]} {place}", f"{during} raised {reason} ({place})"
            return kind, what + INSTEAD if during == "play" else what
        if event == ILLEGAL:
            return event, f"play returned an illegal move, {values.get('move', '?')}{INSTEAD}"
        if event == LATE:
            return event, f"play did not return in time{INSTEAD}"
        if event == HUNG:
            self._hung.add(values.get("pid", ""))
            return event, "its process did not respond and was killed"
        if event == DIED and values.get("pid") not in self._hung:
            return event, "its process ended: it exited, crashed, ran out of memory or did not return"
        return None


def _plain(value: str) -> str:
    """Unquote a value of the log."""
    if value[0] in "'\"":
        with suppress(ValueError, SyntaxError):
            return str(literal_eval(value))
    return value
