"""What went wrong inside a local player, as its agent's log tells: the moves it failed at, and in which ways.

A failed move is one that the player did not choose: it raised, returned no legal move, was late, or its process ended.
The agent plays a legal move then, so that nothing of it shows in the match itself.
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
"""Bytes of a line that are kept; the agent's own are shorter."""
INSTEAD = "; another legal move was played"
MAX_KINDS = 50
"""Kinds of failure of one player that are told apart."""

RAISED, ILLEGAL = "the player failed", "the player chose an illegal move"
LATE, HUNG, DIED = "the worker is late", "the worker hangs and is ended", "the worker died"
"""What the agent's log says of them."""

_EVENT = re.compile(rf"\[(?:error|warning)\s*\] ({'|'.join((RAISED, ILLEGAL, LATE, HUNG, DIED))})\s+(.*)$")
_PAIR = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)")


@dataclass(frozen=True, slots=True)
class FailureKind:
    """One way in which a player failed, and how often. What is of the same `kind` may differ in its words."""

    kind: str
    what: str  # "play raised KeyError: 3 (mine.py:9)"
    times: int


def together(told: Iterable[FailureKind]) -> tuple[FailureKind, ...]:
    """What was told at several times, each kind once, the most frequent first."""
    times, words = Counter[str](), dict[str, str]()
    for one in told:
        times[one.kind] += one.times
        words.setdefault(one.kind, one.what)
    return tuple(FailureKind(kind, words[kind], count) for kind, count in times.most_common())


class FailureLog:
    """The failures in the log file of one agent. `read` takes in what was written since it was read last."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._offset = os.fstat(file.fileno()).st_size  # what stands there already is of an earlier run
        self._rest = b""
        self._moves: dict[str, set[int]] = {}  # by match: numbers of PLAY messages
        self._kinds: dict[str, FailureKind] = {}
        self._told: Counter[str] = Counter()  # how often each kind was told as news
        self._hung: set[str] = set()  # processes that were ended for their silence

    def read(self) -> None:
        """Take in the lines that were added."""
        number = self._file.fileno()
        while chunk := os.pread(number, CHUNK_BYTES, self._offset):  # to seek would move where the agent writes on
            self._offset += len(chunk)
            *lines, rest = (self._rest + chunk).split(b"\n")
            self._rest = rest[-LONGEST_LINE:]
            for line in lines:
                if b" question=" in line:
                    self._take(line[-LONGEST_LINE:].decode("utf-8", "replace"))

    def moves(self, match_id: str) -> frozenset[int]:
        """The moves of a match that the player failed at, by number from 1."""
        return frozenset(self._moves.get(match_id, ()))

    @property
    def kinds(self) -> tuple[FailureKind, ...]:
        """The ways it failed, the most frequent first."""
        return together(self._kinds.values())

    def news(self) -> tuple[FailureKind, ...]:
        """The ways in which it failed since this was asked last."""
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
        """The kind of an event and its words; None where it is no failure of the player."""
        if event == RAISED:
            during, reason, place = (values.get(key, "?") for key in ("during", "reason", "place"))
            kind, what = f"{during} {reason.partition(':')[0]} {place}", f"{during} raised {reason} ({place})"
            return kind, what + INSTEAD if during == "play" else what
        if event == ILLEGAL:
            return event, f"play returned no legal move, but {values.get('move', '?')}{INSTEAD}"
        if event == LATE:
            return event, f"play did not return in time{INSTEAD}"
        if event == HUNG:
            self._hung.add(values.get("pid", ""))
            return event, "its process was silent for too long, and was ended"
        if event == DIED and values.get("pid") not in self._hung:
            return event, "its process ended, perhaps for its memory"
        return None


def _plain(value: str) -> str:
    """A value as it was before the log quoted it."""
    if value[0] in "'\"":
        with suppress(ValueError, SyntaxError):
            return str(literal_eval(value))
    return value
