"""Messages between the agent and its workers: one JSON object per line; its key ``is`` names the kind of message.

Commands go to a worker, events come from it. Each kind is a frozen dataclass, so that mypy checks both ends and finds
kinds that are not handled. JSON is used because unpickling data of a process that runs untrusted rules is unsafe.
Moves, roles and facts are text; deadlines are seconds of the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar, get_args

import numpy as np

from agent.protocol.messages import JointOrGap, Start
from agent.worker.figures import figures_of

ABLE, WARM = "able", "warm"
"""Lines of the fork server: ABLE when workers can run on the relational engine, WARM when everything is compiled."""

Fault = Mapping[str, str | int | None]
"""A diagnostic of a rulesheet in the form of `reasoner.diagnostics.as_json`."""


@dataclass(frozen=True, slots=True)
class Rehearse:
    """To a spare worker: write to the memory pages that a match writes to, so that they are already copied."""


@dataclass(frozen=True, slots=True)
class Knock:
    """Ping: ask whether the worker is alive; the reply is `Here`."""


@dataclass(frozen=True, slots=True)
class BecomeFallback:
    """To a worker without a match: run as a fallback process (`agent.worker.fallback`)."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Start a match, or resume it after `joints`; `answered` is our move in the state after them, if any."""

    start: Start
    deadline: float
    joints: Sequence[JointOrGap]
    answered: str | None
    number: int = 0  # number of the last PLAY whose moves are in `joints`


@dataclass(frozen=True, slots=True)
class Choose:
    """PLAY message `number` of a match: apply `joint` if `apply` is set, then answer with a move."""

    number: int
    deadline: float
    apply: bool
    joint: Sequence[str] | None  # None: no move was made yet
    repeated: bool  # the previous message had the same moves
    gap: bool = False  # earlier messages may have been missed


@dataclass(frozen=True, slots=True)
class End:
    """End the match and the process; `joint` are the last moves, if known."""

    joint: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class ReadRules:
    """To a referee: read a rulesheet; `gently` lowers the priority of the process below that of matches."""

    rules: str
    gently: bool = False


@dataclass(frozen=True, slots=True)
class BeginGame:
    """To a referee: start a game with the rules that were read; `seed` is for random moves.

    In GDL-II, positions include what the role `viewer` knows. `gently` lowers the priority of the process below that
    of matches.
    """

    seed: int
    viewer: int | None = None
    gently: bool = False


@dataclass(frozen=True, slots=True)
class Advance:
    """To a referee: make one move per role; None or an illegal move is replaced by a random one."""

    joint: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Follow:
    """To a referee: make the joint move that a message contains; if it is illegal, the answer is `RefereeFailed`."""

    joint: Sequence[str]


@dataclass(frozen=True, slots=True)
class Explain:
    """To a referee: find the facts that decided a game; its last two positions are `before` and `facts`."""

    before: Sequence[str]
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Examine:
    """To an analyst: define position number `node`.

    With `facts`, the position has these facts; an empty list means the initial position. With `joint`, it is the
    position after these moves in position `parent`. With neither, it is `parent` with another role to move.
    """

    node: int
    parent: int = 0
    joint: Sequence[str] | None = None
    facts: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """To an analyst: search position `node` as `role` within `seconds` and `simulations`; None: stop."""

    node: int | None
    role: int = 0
    seconds: float = 0.0
    simulations: int = 0  # 0: no limit


RefereeCommand = ReadRules | BeginGame | Advance | Follow | Explain
AnalystCommand = Examine | Think
Command = Rehearse | Knock | BecomeFallback | Begin | Choose | End | RefereeCommand | AnalystCommand


@dataclass(frozen=True, slots=True)
class Born:
    """The first event of every worker."""

    pid: int


@dataclass(frozen=True, slots=True)
class Here:
    """The answer to `Knock`."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The player is prepared: the answer to START."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The match cannot be played; `faults` are the diagnostics of its rules."""

    reason: str
    faults: Sequence[Fault] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """Effect of PLAY `number` on the known joint moves: the first `keep` stay, and `added` follow them."""

    number: int  # the number in `Begin`, if it answers a `Begin`
    keep: int
    added: Sequence[JointOrGap]
    hides: bool = False  # GDL-II: an empty list means no percepts


OPENING = 0
"""Number of an offer for the initial state, before any PLAY."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A legal move: the answer to PLAY `number` if no better move follows in time."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to PLAY `number`."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Reported:
    """The player's figures about its last move, the engine, and the memory of the process in bytes."""

    engine: str
    figures: Mapping[str, Any]
    memory: int


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """A method of the player raised an exception."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The position after `step` joint moves of a match, for the page."""

    step: int
    joint: Sequence[str]  # the joint move that led to the position
    facts: Sequence[str]
    terminal: bool
    goals: Sequence[int | None] | None  # per role, in a terminal state
    roles: Sequence[str]
    role: int  # the player's role
    again: bool = False  # another process may have sent the position already


@dataclass(frozen=True, slots=True)
class Thought:
    """The player's search figures in the position after `step` joint moves, for the page."""

    step: int
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RulesRead:
    """Diagnostics and roles of a rulesheet; no roles if a diagnostic is an error."""

    faults: Sequence[Fault]
    roles: Sequence[str]


@dataclass(frozen=True, slots=True)
class Explained:
    """A referee's answer to `Explain`; see `agent.worker.cause`."""

    cause: Sequence[str]


@dataclass(frozen=True, slots=True)
class Position:
    """A referee's position after `step` joint moves, with the legal moves of each role."""

    step: int
    joint: Sequence[str]
    facts: Sequence[str]
    terminal: bool
    goals: Sequence[int | None] | None
    legal: Sequence[Sequence[str]] = ()
    replaced: Sequence[int] = ()  # roles whose move was not legal
    cause: Sequence[str] = ()  # deciding facts, in a terminal state
    possible: Sequence[str] = ()  # declared base facts; only the first position has this field and those up to `points`
    sample: Sequence[tuple[Sequence[str], Sequence[str]]] = ()  # joint moves of random games, with the facts after them
    links: Sequence[Sequence[Sequence[str]]] = ()  # relations that may define adjacent cells
    orders: Sequence[Sequence[str]] = ()  # words in the order that a successor relation defines
    upright: Sequence[str] = ()  # relations with a row argument before a column argument
    nets: Sequence[Sequence[Sequence[str]]] = ()  # pairs of words that may be adjacent cells of a board without rows
    kinds: Sequence[str] = ()  # properties of the game in words, e.g. "simultaneous moves"
    opposed: bool = False  # whether the game is constant-sum between two roles in all random games
    points: int = 100  # maximum goal value
    percepts: Sequence[Sequence[str]] = ()  # per role, its percepts of the joint move; empty in plain GDL
    known: Sequence[str] | None = None  # facts that the viewer knows for certain; None: all


@dataclass(frozen=True, slots=True)
class RefereeFailed:
    """A referee cannot answer, for `reason`."""

    reason: str


MatchEvent = Ready | Refused | Applied | Offered | Answered | Reported | PlayerFailed | Seen | Thought
RefereeEvent = RulesRead | Position | Explained | RefereeFailed
Told = MatchEvent | RefereeEvent
Event = Born | Here | Told

Message = TypeVar("Message")
_COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in get_args(Command)}
_EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(message: Command | Event) -> bytes:
    """Encode a message as one line."""
    body = {"is": type(message).__name__, **{field.name: getattr(message, field.name) for field in fields(message)}}
    return json.dumps(body, default=_plain, skipkeys=True, allow_nan=False).encode() + b"\n"


def decode_command(line: bytes) -> Command:
    """Decode a command. Raises ValueError if the line is not a command."""
    return _decoded(line, _COMMANDS)


def decode_event(line: bytes) -> Event:
    """Decode an event. Raises ValueError if the line is not an event."""
    return _decoded(line, _EVENTS)


def _decoded(line: bytes, kinds: Mapping[str, type[Message]]) -> Message:
    body = json.loads(line)
    try:
        kind = kinds[body.pop("is")]
        if kind is Begin:
            body["start"] = Start(**body["start"])
        if kind in (Reported, Thought):
            body["figures"] = figures_of(body["figures"])
        return kind(**body)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a message of a worker: {error!r:.200}") from error


def _plain(value: object) -> object:
    """Convert a value that JSON cannot express: a Start message, a NumPy number, a player's object."""
    if isinstance(value, Start):
        return asdict(value)
    return value.item() if isinstance(value, np.generic) else str(value)
