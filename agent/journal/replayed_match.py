"""State of a match, replayed from its journal.

Entries, in chronological order:

``start`` (id, role, rules, line, column, start_clock, play_clock, manager), always first; `manager` is the network of
    the sender's address, absent for a match of the page;
``play`` (n, moves, gap, repeated): a PLAY message arrived; `gap` if earlier messages may have been missed; `repeated`
    if the message before it had the same moves, absent in older journals;
``applied`` (n, keep, added, position): moves of PLAY `n` were legal; the first `keep` joint moves stay, `added` follow
    them; `position` are the facts after them, in some of these entries; an empty list: earlier ones may be wrong;
``answer`` (n, move, guessed): the answer to PLAY `n`, and whether it was a guess;
``refused`` (manager): a START with this id was refused, because it came from another manager's network;
``again``: the agent was restarted;
``full``: the journal is full, and the match cannot be resumed;
``end`` (reason, moves): the match is over.

In place of damaged lines there is one entry `DAMAGED`, so entries of any kind may be missing there. Joint moves that
are missing are taken from the PLAY messages, or become gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.journal.entries import fits
from agent.journal.legal_answers import LegalAnswers
from agent.journal.lines import DAMAGED, Entry
from agent.journal.untaken_moves import UntakenMoves
from agent.protocol.messages import JointOrGap, Moves, Start

EARLIER = 3
"""Maximum PLAY messages before the last one whose moves are known: copies of them may still arrive."""
MAX_LOST = 1_000
"""Maximum joint moves that are replaced by gaps at damaged lines."""


@dataclass
class ReplayedMatch:
    """The state of a match that its journal records."""

    start: Start
    manager: str | None = None  # network of the address of the START; None: unknown, or the page
    refused: list[str] = field(default_factory=list)  # networks of other managers that wanted this id
    joints: list[JointOrGap] = field(default_factory=list)  # applied joint moves
    reached: int = 0  # number of the first of `joints` after which the position is known
    position: list[str] = field(default_factory=list)  # its facts
    untaken: UntakenMoves = field(default_factory=UntakenMoves)  # moves not applied yet
    number: int = 0  # number of the last PLAY
    moves: Moves = None  # moves of the last PLAY
    earlier: list[Moves] = field(default_factory=list)  # moves of the PLAYs before it, at most EARLIER
    own: str | None = None  # our answer to the PLAY before the last one
    gap: bool = False  # whether messages before the last PLAY may have been missed
    repeated: bool = False  # whether the PLAY before the last one had the same moves
    applied: bool = False  # whether the moves of the last PLAY are in `joints`
    answer: str | None = None  # answer to the last PLAY
    last_answer: str | None = None  # answer to the last PLAY, or to the one before while there is none; None: unknown
    answers: LegalAnswers = field(default_factory=LegalAnswers)
    began: float = 0.0  # time of START in seconds since 1970
    heard: float = 0.0  # time of the last message
    up: float = 0.0  # time of the last message in seconds since boot
    boot: str = ""  # identifier of this boot; empty if unknown
    times: list[float] = field(default_factory=list)  # when each of `joints` was applied
    full: bool = False  # whether the journal is incomplete
    damaged: bool = False  # whether the journal has damaged lines
    last: Moves = None  # the moves of the STOP
    ended: str | None = None  # why the match ended

    @property
    def known(self) -> tuple[Sequence[JointOrGap], int, Sequence[str]]:
        """The joint moves, and the facts of the position after the first ones."""
        return self.joints, self.reached, self.position

    @property
    def played(self) -> bool:
        """Whether a PLAY has arrived."""
        return self.number > 0


def replay(entries: Sequence[Entry]) -> ReplayedMatch | None:
    """Replay the entries of a journal; None if they are invalid."""
    if not entries or entries[0]["is"] != "start" or not all(map(fits, entries)):
        return None  # the lines are valid, but not from this agent
    replayed = ReplayedMatch(_start(entries[0]), entries[0].get("manager"), began=entries[0]["at"])
    _hear(replayed, entries[0])
    for entry in entries[1:]:
        _take_in(replayed, entry)
    return replayed


def opening(start: Start) -> Entry:
    """Return the fields of the ``start`` entry, also sent to workers."""
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
    if entry is DAMAGED:
        replayed.damaged, replayed.last_answer = True, None
        return
    if replayed.damaged and entry.get("n", 0) > replayed.number and entry["is"] != "play":
        replayed.number, replayed.moves, replayed.applied, replayed.answer = entry["n"], None, True, None  # line lost
    match entry["is"]:
        case "play":
            _ask(replayed, entry)
        case "applied":
            replayed.applied |= entry["n"] == replayed.number
            if replayed.damaged:
                _fill(replayed, entry["n"], min(entry["keep"] - len(replayed.joints), MAX_LOST), entry["at"])
            first = replayed.joints[entry["keep"] : replayed.reached]
            replayed.joints[entry["keep"] :] = entry["added"]
            if "position" in entry:
                replayed.position = entry["position"]
                replayed.reached = len(replayed.joints) if replayed.position else 0
            elif replayed.joints[entry["keep"] : replayed.reached] != first:
                replayed.reached, replayed.position = 0, []
            replayed.times[entry["keep"] :] = [entry["at"]] * len(entry["added"])
            replayed.untaken.drop(entry["n"])
        case "answer":
            replayed.last_answer = entry["move"]
            if not entry.get("guessed"):
                replayed.answers.note(entry["n"], entry["move"])
            if entry["n"] == replayed.number:
                replayed.answer = entry["move"]
        case "refused":
            replayed.refused.append(entry["manager"])
        case "full":
            replayed.full = True
        case "end":
            replayed.ended, moves, replayed.heard = entry["reason"], entry["moves"], entry["at"]
            replayed.last = None if moves is None else tuple(moves)
            if replayed.damaged:
                _keep_untaken(replayed)
                _fill(replayed, replayed.number + 1, len(replayed.untaken), entry["at"])


def _fill(replayed: ReplayedMatch, number: int, lost: int, at: float) -> None:
    """Add `lost` joint moves of damaged lines: those of the PLAY messages before message `number`, or gaps."""
    if lost > 0:
        told = replayed.untaken.before(number)
        replayed.joints += told if len(told) == lost else [None] * lost
        replayed.times += [at] * lost


def _keep_untaken(replayed: ReplayedMatch) -> None:
    if replayed.moves is not None and not replayed.applied:
        flags = {"gap": replayed.gap, "repeated": replayed.repeated}
        replayed.untaken.keep(replayed.number, replayed.moves, replayed.own, **flags)


def _ask(replayed: ReplayedMatch, entry: Entry) -> None:
    _keep_untaken(replayed)
    if replayed.played and replayed.answer is None:  # the agent ended before it answered
        replayed.last_answer = None
    if replayed.played:
        replayed.earlier = [*replayed.earlier, replayed.moves][-EARLIER:]
    replayed.own = replayed.last_answer
    moves = entry["moves"]
    _hear(replayed, entry)
    replayed.number, replayed.gap = entry["n"], bool(entry["gap"])
    replayed.repeated = bool(entry.get("repeated"))
    replayed.moves = None if moves is None else tuple(moves)
    replayed.applied, replayed.answer = False, None


def _hear(replayed: ReplayedMatch, entry: Entry) -> None:
    """Store the time of a message; older journals have only the time of the wall clock."""
    replayed.heard = float(entry["at"])
    replayed.up, replayed.boot = float(entry.get("up", 0.0)), str(entry.get("boot", ""))


def known(items: Sequence[JointOrGap]) -> int:
    """Return the number of known joint moves, without gaps."""
    return sum(item is not None for item in items)
