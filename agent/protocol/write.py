"""Formatting of messages and answers on one line, as ggp-base does: a space around every parenthesis of a term.

Some players accept no other format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.protocol.elements import tokens
from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Moves, Play, Preview, Start, Stop

READY = "ready"
BUSY = "busy"
DONE = "done"
ABORTED = "aborted"

_UNFIT = re.compile(r"[^A-Za-z0-9_.+-]")


def write_message(message: Message) -> str:
    """Format a message as a manager sends it: ``( PLAY id (noop ( mark 1 1 ) ) )``. Omits comments in rules."""
    match message:
        case Info():
            return "( INFO )"
        case Preview(rules, clock):
            return f"( PREVIEW ({_spaced(rules)} ) {_seconds(clock)} )"
        case Start(match_id, role, rules, start_clock, play_clock):
            return f"( START {match_id} {role} ({_spaced(rules)} ) {_seconds(start_clock)} {_seconds(play_clock)})"
        case Play(match_id, moves):
            return f"( PLAY {match_id} {_moves(moves)} )"
        case Stop(match_id, moves):
            return f"( STOP {match_id} {_moves(moves)} )"
        case Abort(match_id):
            return f"( ABORT {match_id} )"
        case ImperfectPlay(match_id, turn, last_move, percepts, stop):
            keyword = "STOP" if stop else "PLAY"
            return f"( {keyword} {match_id} {turn} {_spaced(last_move)} {_moves(percepts)} )"


def write_info(name: str, *, free: bool, species: str, more: Mapping[str, str] | None = None) -> str:
    """Format the answer to INFO; `more` has additional pairs."""
    pairs = {"name": name, "status": "available" if free else "busy", "species": species, **(more or {})}
    return f"({' '.join(f'({key} {_word(value)})' for key, value in pairs.items())})"


def _moves(moves: Moves) -> str:
    return "NIL" if moves is None else f"({' '.join(map(_spaced, moves))} )"


def _spaced(text: str) -> str:
    return " ".join(tokens(text))


def _seconds(clock: float) -> str:
    """Format seconds; whole numbers without a fraction."""
    return str(int(clock)) if clock == int(clock) else repr(clock)


def _word(value: str) -> str:
    """Convert `value` to one atom, so that a name chosen by the user cannot break the list."""
    return _UNFIT.sub("_", value) or "_"
