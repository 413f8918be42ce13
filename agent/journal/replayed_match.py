"""What a journal tells: how far a match was when its agent ended.

Entries, in the order of what happened:

``start`` (id, role, rules, line, column, start_clock, play_clock), once and first;
``play`` (n, moves, gap): a PLAY message came, `gap` when messages before it may have been missed;
``applied`` (n, keep, added): its moves were legal, and what is known of the match changed;
``answer`` (n, move): what was answered;
``again``: the agent was started again;
``full``: the journal has no room for more, and the match cannot be gone on with;
``end`` (reason, moves): the match is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.journal.entries import fits
from agent.journal.lines import Entry
from agent.protocol.messages import JointOrGap, Moves, Start

MOST_UNTAKEN, MOST_UNTAKEN_CHARACTERS = 64, 4 << 20
"""Messages whose moves wait to be taken in, and characters of those; one message has less."""


@dataclass
class ReplayedMatch:
    """A match as far as its journal goes."""

    start: Start
    joints: list[JointOrGap] = field(default_factory=list)  # taken in
    untaken: dict[int, list[JointOrGap]] = field(default_factory=dict)  # moves by message, not taken in
    number: int = 0  # of the last PLAY
    moves: Moves = None  # what it carried
    gap: bool = False  # whether messages before it may have been missed
    applied: bool = False  # whether its moves are in `joints`
    answer: str | None = None  # what it was answered
    last_answer: str | None = None  # what was answered last, to this PLAY or to one before
    began: float = 0.0  # when it was started, in seconds since 1970
    heard: float = 0.0  # when the last message came
    up: float = 0.0  # the same in seconds since the machine was started
    boot: str = ""  # which start of the machine that was; empty where it is not known
    times: list[float] = field(default_factory=list)  # when each of `joints` was taken in
    full: bool = False  # whether more was played than the journal tells
    last: Moves = None  # the moves that the end brought
    ended: str | None = None  # why the match is over

    @property
    def played(self) -> bool:
        """Whether a PLAY has come."""
        return self.number > 0


def replay(entries: Sequence[Entry]) -> ReplayedMatch | None:
    """How far a match was as its journal tells; None when it is no journal of a match."""
    if not entries or entries[0]["is"] != "start" or not all(map(fits, entries)):
        return None  # perhaps whole lines, yet not written by this agent
    replayed = ReplayedMatch(_start(entries[0]), began=entries[0]["at"])
    _hear(replayed, entries[0])
    for entry in entries[1:]:
        _take_in(replayed, entry)
    return replayed


def opening(start: Start) -> Entry:
    """The fields of the ``start`` entry, and of what a worker is told."""
    return {
        "id": start.match_id,
        "role": start.role,
        "rules": start.rules,
        "line": start.rules_line,
        "column": start.rules_column,
        "start_clock": start.start_clock,
        "play_clock": start.play_clock,
    }


def _start(entry: Entry) -> Start:
    return Start(
        entry["id"],
        entry["role"],
        entry["rules"],
        entry["start_clock"],
        entry["play_clock"],
        entry["line"],
        entry["column"],
    )


def _take_in(replayed: ReplayedMatch, entry: Entry) -> None:
    match entry["is"]:
        case "play":
            _ask(replayed, entry)
        case "applied":
            replayed.applied |= entry["n"] == replayed.number
            replayed.joints[entry["keep"] :] = entry["added"]
            replayed.times[entry["keep"] :] = [entry["at"]] * len(entry["added"])
            replayed.untaken = {n: items for n, items in replayed.untaken.items() if n > entry["n"]}
        case "answer":
            replayed.last_answer = entry["move"]
            if entry["n"] == replayed.number:
                replayed.answer = entry["move"]
        case "full":
            replayed.full = True
        case "end":
            replayed.ended, moves, replayed.heard = entry["reason"], entry["moves"], entry["at"]
            replayed.last = None if moves is None else tuple(moves)


def _ask(replayed: ReplayedMatch, entry: Entry) -> None:
    if replayed.moves is not None and not replayed.applied:
        keep_untaken(replayed.untaken, replayed.number, items_of(replayed.moves, gap=replayed.gap))
    moves = entry["moves"]
    _hear(replayed, entry)
    replayed.number, replayed.gap = entry["n"], bool(entry["gap"])
    replayed.moves = None if moves is None else tuple(moves)
    replayed.applied, replayed.answer = False, None


def _hear(replayed: ReplayedMatch, entry: Entry) -> None:
    """A message came; journals of earlier versions tell only the wall clock's time."""
    replayed.heard = float(entry["at"])
    replayed.up, replayed.boot = float(entry.get("up", 0.0)), str(entry.get("boot", ""))


def items_of(moves: Sequence[str], *, gap: bool) -> list[JointOrGap]:
    """What one message adds to the joint moves."""
    return [None, list(moves)] if gap else [list(moves)]


def keep_untaken(untaken: dict[int, list[JointOrGap]], number: int, items: list[JointOrGap]) -> bool:
    """Keep moves of message `number` until they are taken in; whether they are so many that the oldest are missed."""
    untaken[number] = items
    missed = False
    while len(untaken) > MOST_UNTAKEN or sum(map(_size, untaken.values())) > MOST_UNTAKEN_CHARACTERS:
        del untaken[next(iter(untaken))]
        missed = True
    if missed and untaken:
        oldest = next(iter(untaken))
        untaken[oldest] = [None, *(item for item in untaken[oldest] if item is not None)]
    return missed


def _size(items: Sequence[JointOrGap]) -> int:
    return sum(len(move) for item in items for move in item or ())


def known(items: Sequence[JointOrGap]) -> int:
    """How many joint moves are known to have been made."""
    return sum(item is not None for item in items)
