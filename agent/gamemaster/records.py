"""Match records in the JSON form of ggp.org (docs: "Match records"), unsigned, in the rulesheet's own words.

A record has one more state (with its time) than joint moves. It has one row of errors for START and one per joint move.
KIF is formatted as by ggp-base, with spaces around every parenthesis. Three additional fields make a record
self-contained: ``gameName``, ``roleNames`` and ``rulesheet``, the text of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.errors import reason_of
from agent.gamemaster.errors import RecordError
from reasoner.language.terms import Compound, Term
from search.files import write_atomically

Row = tuple[str, ...]  # one text per role, in the rulesheet's order


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The record of a match so far. Times are in milliseconds since 1970, clocks in seconds.

    An error is ``TO`` (no answer in time), ``IL <answer>`` (not a legal move), ``CE`` (no connection) or "" (none).
    """

    match_id: str
    random_token: str
    start_time: int
    start_clock: float
    play_clock: float
    game_url: str
    states: tuple[str, ...]
    state_times: tuple[int, ...]
    moves: tuple[Row, ...]
    errors: tuple[Row, ...]
    player_names: Row
    goals: tuple[int | None, ...] = ()
    completed: bool = False
    aborted: bool = False
    scrambled: bool = False
    percepts: tuple[tuple[Row, ...], ...] = ()  # with `sees`: percepts of each role per joint move
    game: str = ""  # name of the game, if any
    roles: Row = ()
    rules: str = ""

    def as_json(self) -> Mapping[str, object]:
        """Return the fields under their public names. Goal values are omitted before the end."""
        body: dict[str, object] = {
            "matchId": self.match_id,
            "randomToken": self.random_token,
            "startTime": self.start_time,
            "startClock": whole(self.start_clock),
            "playClock": whole(self.play_clock),
            "gameMetaURL": self.game_url,
            "isCompleted": self.completed,
            "isAborted": self.aborted,
            "states": self.states,
            "stateTimes": self.state_times,
            "moves": self.moves,
            "errors": self.errors,
            "playerNamesFromHost": self.player_names,
            "scrambled": self.scrambled,
            **({"percepts": self.percepts} if self.percepts else {}),
            **({"gameName": self.game} if self.game else {}),
            **({"roleNames": self.roles} if self.roles else {}),
            **({"rulesheet": self.rules} if self.rules else {}),
        }
        return body | {"goalValues": [goal or 0 for goal in self.goals]} if self.goals else body


def spaced(term: Term) -> str:
    """Format a term as ggp-base does: ``noop``, ``( mark 1 1 )``."""
    if isinstance(term, Compound):
        return f"( {' '.join((term.functor, *map(spaced, term.arguments)))} )"
    return str(term)


def state_text(facts: Iterable[Term]) -> str:
    """Format a state for a match record, sorted: ``( ( cell 1 1 b ) ( control white ) )``."""
    return f"( {' '.join(sorted(map(spaced, facts)))} )"


def whole(seconds: float) -> int | float:
    """Return `seconds` as an int if it is a whole number, because old readers of records accept no fractions."""
    return int(seconds) if float(seconds).is_integer() else seconds


def make_folder(folder: Path) -> None:
    """Create the folder for records before the first match. Raises RecordError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"cannot create the folder {folder}: {reason_of(error)}.") from error


def write_record(record: MatchRecord, folder: Path) -> Path:
    """Write ``<folder>/<match id>.json`` atomically, and return its path. Raises RecordError."""
    target = folder / f"{record.match_id}.json"
    try:
        write_atomically(target, (json.dumps(record.as_json(), indent=1) + "\n").encode("ascii"))
    except OSError as error:
        raise RecordError(f"cannot write the match record {target}: {error.strerror}.") from error
    return target
