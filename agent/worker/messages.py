"""What passes between the agent's process and those of its workers, a JSON object a line, its kind in ``is``.

Commands go to a worker, events come from it. Each kind is a frozen dataclass, so that mypy sees both ends and every
kind that is not handled. They travel as JSON, for nothing is unpickled that a process says which runs strangers' rules.
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
"""What the fork server says: workers can be forked, and find what the relational engine needs, or everything."""

Fault = Mapping[str, str | int | None]
"""A fault of a rulesheet as `reasoner.diagnostics.as_json` writes it."""


@dataclass(frozen=True, slots=True)
class Rehearse:
    """Touch the memory that playing writes to: no match needs this worker yet."""


@dataclass(frozen=True, slots=True)
class Knock:
    """Say that you are there."""


@dataclass(frozen=True, slots=True)
class Begin:
    """A match begins, or is gone on with after `joints`; `answered` is our move in the state that they lead to."""

    start: Start
    deadline: float
    joints: Sequence[JointOrGap]
    answered: str | None


@dataclass(frozen=True, slots=True)
class Choose:
    """PLAY number `number` of a match: take in `joint` if it is to be applied, then answer with a move."""

    number: int
    deadline: float
    apply: bool
    joint: Sequence[str] | None  # None: no move was made yet
    repeated: bool  # the message before carried the same
    gap: bool = False  # messages may have been missed before it


@dataclass(frozen=True, slots=True)
class End:
    """The match is over, with `joint` as its last moves where they are known; the process ends, too."""

    joint: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class ReadRules:
    """To a referee: read a rulesheet; a process that is asked `gently` gives way to matches from then on."""

    rules: str
    gently: bool = False


@dataclass(frozen=True, slots=True)
class BeginGame:
    """To a referee: the initial state of the rules that were read; `seed` is chance's.

    Where the rules hide something, positions tell what the role `viewer` knows, too. A process that is asked `gently`
    gives way to matches from then on.
    """

    seed: int
    viewer: int | None = None
    gently: bool = False


@dataclass(frozen=True, slots=True)
class Advance:
    """To a referee: one move a role; None, and what is not legal, is drawn at random."""

    joint: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Follow:
    """To a referee: a joint move as a message told it, which fails where it is not legal."""

    joint: Sequence[str]


@dataclass(frozen=True, slots=True)
class Explain:
    """To a referee: which facts decided the end of a game, whose last positions were `before` and `facts`."""

    before: Sequence[str]
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Examine:
    """To an analyst: what is to be position number `node`.

    It is given by its `facts` (none of them: the initial position), or follows `parent` by the moves `joint`; without
    either it is `parent` with another role to move.
    """

    node: int
    parent: int = 0
    joint: Sequence[str] | None = None
    facts: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """To an analyst: think about position `node` as `role`, so long and so many descents at most; None: rest."""

    node: int | None
    role: int = 0
    seconds: float = 0.0
    simulations: int = 0  # 0: as many as there is time for


RefereeCommand = ReadRules | BeginGame | Advance | Follow | Explain
AnalystCommand = Examine | Think
Command = Rehearse | Knock | Begin | Choose | End | RefereeCommand | AnalystCommand


@dataclass(frozen=True, slots=True)
class Born:
    """The first word of every worker."""

    pid: int


@dataclass(frozen=True, slots=True)
class Here:
    """The answer to `Knock`."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The player has prepared: the answer to START."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The match cannot be played; `faults` are those of its rules."""

    reason: str
    faults: Sequence[Fault] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """What the moves of PLAY `number` did to those known before: the first `keep` stay, `added` follow them."""

    number: int  # 0 for START
    keep: int
    added: Sequence[JointOrGap]
    hides: bool = False  # whether roles see percepts alone, so that an empty list is one of percepts


@dataclass(frozen=True, slots=True)
class Offered:
    """A legal move to answer PLAY `number` with if nothing better comes in time."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to PLAY `number`."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Reported:
    """The player's figures about its last move, the engine that played, and the bytes of memory of its process."""

    engine: str
    figures: Mapping[str, Any]
    memory: int


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """A method of the player has raised."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The position after `step` joint moves of a match, for people to look at."""

    step: int
    joint: Sequence[str]  # that led to it
    facts: Sequence[str]
    terminal: bool
    goals: Sequence[int | None] | None  # in a terminal state
    roles: Sequence[str]
    role: int  # the player's
    again: bool = False  # another process may have told it


@dataclass(frozen=True, slots=True)
class Thought:
    """What the player thinks in the position after `step` joint moves, for people to look at."""

    step: int
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RulesRead:
    """A referee has read a rulesheet; no roles where a fault is an error."""

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
    cause: Sequence[str] = ()  # facts that decided, in a terminal state
    possible: Sequence[str] = ()  # facts that may ever be true; this and what follows is told with the first position
    sample: Sequence[tuple[Sequence[str], Sequence[str]]] = ()  # joint moves and facts of games played at random
    links: Sequence[Sequence[Sequence[str]]] = ()  # relations that may say which cells lie side by side
    orders: Sequence[Sequence[str]] = ()  # words in the order that facts put them in
    upright: Sequence[str] = ()  # relations that name a row before a column
    nets: Sequence[Sequence[Sequence[str]]] = ()  # pairs of words that may be cells side by side, in no lines
    kinds: Sequence[str] = ()  # in words, what is special: roles move at the same time, or do not see everything
    opposed: bool = False  # whether two roles share all points at each end seen at random
    points: int = 100  # the goal that is the whole
    percepts: Sequence[Sequence[str]] = ()  # per role what it saw of the joint move; none where all see all
    known: Sequence[str] | None = None  # the facts that the viewer knows for certain; None: all


@dataclass(frozen=True, slots=True)
class RefereeFailed:
    """A referee has no answer, for `reason`."""

    reason: str


MatchEvent = Ready | Refused | Applied | Offered | Answered | Reported | PlayerFailed | Seen | Thought
RefereeEvent = RulesRead | Position | Explained | RefereeFailed
Told = MatchEvent | RefereeEvent
Event = Born | Here | Told

Message = TypeVar("Message")
_COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in get_args(Command)}
_EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(message: Command | Event) -> bytes:
    """A message as one line."""
    body = {"is": type(message).__name__, **{field.name: getattr(message, field.name) for field in fields(message)}}
    return json.dumps(body, default=_plain, skipkeys=True, allow_nan=False).encode() + b"\n"


def decode_command(line: bytes) -> Command:
    """The command of a line. Raises ValueError where it is none."""
    return _decoded(line, _COMMANDS)


def decode_event(line: bytes) -> Event:
    """The event of a line. Raises ValueError where it is none."""
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
        raise ValueError(f"no message of a worker: {error!r:.200}") from error


def _plain(value: object) -> object:
    """What JSON has no word for: the message that began a match, a number of numpy's, whatever a player tells."""
    if isinstance(value, Start):
        return asdict(value)
    return value.item() if isinstance(value, np.generic) else str(value)
