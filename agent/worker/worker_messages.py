"""Messages between the agent and its workers: one JSON object per line; its key ``is`` names the kind of message.

Commands go to a worker, events come from it. Each kind is a class, so that mypy checks both ends and finds kinds
that are not handled. JSON is used because unpickling data of a process that runs untrusted rules is unsafe.
Moves, roles and facts are text; deadlines are seconds of the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agent import message_lines
from agent.message_lines import Message
from agent.protocol.messages import JointOrGap, Start
from agent.worker.figures import figures_of

ABLE, WARM = "able", "warm"
"""Lines of the fork server: ABLE when workers can run on the relational engine, WARM when everything is compiled."""

Fault = Mapping[str, str | int | None]
"""A diagnostic of a rulesheet in the form of `reasoner.diagnostics.as_json`."""


class Rehearse(Message, frozen=True):
    """To a spare worker: write to the memory pages that a match writes to, so that they are already copied."""


class Knock(Message, frozen=True):
    """Ping: ask whether the worker is alive; the reply is `Here`."""


class Begin(Message, frozen=True):
    """Start a match, or resume it after `joints`; `answered` is our move in the state after them, if any."""

    start: Start
    deadline: float
    joints: Sequence[JointOrGap]
    answered: str | None
    number: int = 0  # number of the last PLAY whose moves are in `joints`
    own: Sequence[str | None] = ()  # our answers before the last of `joints`, which no process has applied
    repeated: Sequence[bool] = ()  # whether each of these has the moves of the message before it
    reached: int = 0  # number of the first of `joints` after which the position is known; 0: it is not
    position: Sequence[str] = ()  # its facts


class Choose(Message, frozen=True):
    """PLAY message `number` of a match: apply `joint` if `apply` is set, then answer with a move."""

    number: int
    deadline: float
    apply: bool
    joint: Sequence[str] | None  # None: no move was made yet
    repeated: bool  # the previous message had the same moves
    gap: bool = False  # earlier messages may have been missed
    own: str | None = None  # our answer to the PLAY before, as it was sent; None: unknown
    sent: int = 0  # number of the last PLAY whose answer was sent; later ones had no client


class End(Message, frozen=True):
    """End the match and the process; `joint` are the last moves, if known."""

    joint: Sequence[str] | None = None


class ReadRules(Message, frozen=True):
    """To a referee: read a rulesheet; `gently` lowers the priority of the process below that of matches."""

    rules: str
    gently: bool = False


class BeginGame(Message, frozen=True):
    """To a referee: start a game with the rules that were read; `seed` is for random moves.

    In GDL-II, positions include what the roles `viewers` know. `gently` lowers the priority of the process below that
    of matches.
    """

    seed: int
    viewers: Sequence[int] = ()
    gently: bool = False


class Advance(Message, frozen=True):
    """To a referee: make one move per role; None or an illegal move is replaced by a random one."""

    joint: Sequence[str | None]


class Follow(Message, frozen=True):
    """To a referee: make the joint move that a message contains; if it is illegal, the answer is `RefereeFailed`."""

    joint: Sequence[str]


class Explain(Message, frozen=True):
    """To a referee: find the facts that decided a game; its last two positions are `before` and `facts`."""

    before: Sequence[str]
    facts: Sequence[str]


class Examine(Message, frozen=True):
    """To an analyst: define position number `node`.

    With `facts`, the position has these facts; an empty list means the initial position. With `joint`, it is the
    position after these moves in position `parent`. With neither, it is `parent` with another role to move.
    """

    node: int
    parent: int = 0
    joint: Sequence[str] | None = None
    facts: Sequence[str] | None = None


class Think(Message, frozen=True):
    """To an analyst: search position `node` as `role` within `seconds` and `simulations`; None: stop."""

    node: int | None
    role: int = 0
    seconds: float = 0.0
    simulations: int = 0  # 0: no limit


RefereeCommand = ReadRules | BeginGame | Advance | Follow | Explain
AnalystCommand = Examine | Think
Command = Rehearse | Knock | Begin | Choose | End | RefereeCommand | AnalystCommand


class Born(Message, frozen=True):
    """The first event of every worker."""

    pid: int


class Here(Message, frozen=True):
    """The answer to `Knock`."""


class Ready(Message, frozen=True):
    """The player is prepared: the answer to START."""


class Refused(Message, frozen=True):
    """The match cannot be played; `faults` are the diagnostics of its rules."""

    reason: str
    faults: Sequence[Fault] = ()


class Applied(Message, frozen=True):
    """Effect of PLAY `number` on the known joint moves: the first `keep` stay, and `added` follow them."""

    number: int  # the number in `Begin`, if it answers a `Begin`
    keep: int
    added: Sequence[JointOrGap]
    hides: bool = False  # GDL-II: an empty list means no percepts
    position: Sequence[str] | None = None  # the facts after them, now and then; empty: earlier ones may be wrong

    @property
    def entry(self) -> dict[str, object]:
        """The fields of the journal's entry."""
        fields = {"n": self.number, "keep": self.keep, "added": self.added}
        return fields if self.position is None else {**fields, "position": self.position}


OPENING = 0
"""Number of an offer for the initial state, before any PLAY."""


class Offered(Message, frozen=True):
    """A legal move: the answer to PLAY `number` if no better move follows in time."""

    number: int
    move: str


class Answered(Message, frozen=True):
    """The answer to PLAY `number`."""

    number: int
    move: str


class Reported(Message, frozen=True):
    """The player's figures about its last move, the engine, and the memory of the process in bytes."""

    engine: str
    figures: Mapping[str, Any]
    memory: int


class PlayerFailed(Message, frozen=True):
    """A method of the player raised an exception."""


class Seen(Message, frozen=True):
    """The position after `step` joint moves of a match, for the page."""

    step: int
    joint: Sequence[str]  # the joint move that led to the position
    facts: Sequence[str]
    terminal: bool
    goals: Sequence[int | None] | None  # per role, in a terminal state
    roles: Sequence[str]
    role: int  # the player's role
    again: bool = False  # another process may have sent the position already


class Thought(Message, frozen=True):
    """The player's search figures in the position after `step` joint moves, for the page."""

    step: int
    figures: Mapping[str, Any]


class RulesRead(Message, frozen=True):
    """Diagnostics and roles of a rulesheet; no roles if a diagnostic is an error."""

    faults: Sequence[Fault]
    roles: Sequence[str]


class Explained(Message, frozen=True):
    """A referee's answer to `Explain`; see `agent.worker.cause`."""

    cause: Sequence[str]


class Position(Message, frozen=True):
    """A referee's position after `step` joint moves, with the legal moves of each role."""

    step: int
    joint: Sequence[str]
    facts: Sequence[str]
    terminal: bool
    goals: Sequence[int | None] | None
    legal: Sequence[Sequence[str]] = ()
    replaced: Sequence[int] = ()  # roles whose move was not legal
    cause: Sequence[str] = ()  # deciding facts, in a terminal state
    possible: Sequence[str] = ()  # declared base facts; only the first position has this field and those up to `even`
    sample: Sequence[tuple[Sequence[str], Sequence[str]]] = ()  # joint moves of random games, with the facts after them
    links: Sequence[Sequence[Sequence[str]]] = ()  # relations that may define adjacent cells
    orders: Sequence[Sequence[str]] = ()  # words in the order that a successor relation defines
    upright: Sequence[str] = ()  # relations with a row argument before a column argument
    nets: Sequence[Sequence[Sequence[str]]] = ()  # pairs of words that may be adjacent cells of a board without rows
    kinds: Sequence[str] = ()  # properties of the game in words, e.g. "simultaneous moves"
    opposed: bool = False  # whether the game is constant-sum between two roles in all random games
    points: int = 100  # maximum goal value
    even: bool = False  # whether the roles are opposed and the rules have a goal of half the points
    percepts: Sequence[Sequence[str]] = ()  # per role, its percepts of the joint move; empty in plain GDL
    known: Sequence[Sequence[str] | None] = ()  # per role, the facts that a viewer knows for certain; empty: all


class RefereeFailed(Message, frozen=True):
    """A referee cannot answer, for `reason`."""

    reason: str


MatchEvent = Ready | Refused | Applied | Offered | Answered | Reported | PlayerFailed | Seen | Thought
RefereeEvent = RulesRead | Position | Explained | RefereeFailed
Told = MatchEvent | RefereeEvent
Event = Born | Here | Told


def encode(message: Command | Event) -> bytes:
    """Encode a message as one line."""
    return message_lines.encode(message, _plain).encode() + b"\n"


def decode_command(line: bytes) -> Command:
    """Decode a command. Raises ValueError if the line is not a command."""
    command: Command = message_lines.decode(line, Command)
    return command


def decode_event(line: bytes) -> Event:
    """Decode an event. Raises ValueError if the line is not an event."""
    event: Event = message_lines.decode(line, Event, _with_plain_figures)
    return event


def _with_plain_figures(line: str | bytes) -> object:
    body = json.loads(line)
    return body | {"figures": figures_of(body["figures"])} if "figures" in body else body


def _plain(value: object) -> object:
    """Convert a value that JSON cannot express: a NumPy number or a player's object."""
    return value.item() if isinstance(value, np.generic) else str(value)
