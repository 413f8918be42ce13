"""The messages of the match protocol as values.

Everything that a game manager spells stays text: ids, roles and moves keep their letters exactly, with single
spaces inside a compound move (``(mark 1 1)``). Clocks are seconds and may be fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Moves = tuple[str, ...] | None
"""One move per role in role order, or None for NIL: no move was made yet."""
JointOrGap = Sequence[str] | None
"""Of what is known of a match: a joint move, or None where an unknown number of joint moves was missed."""


@dataclass(frozen=True, slots=True)
class Info:
    """Asks whether the agent is there and free."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules that a match may soon be played on. `rules` is their text without the list's own parentheses."""

    rules: str
    clock: float


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins.

    `rules` is the rulesheet's text without the list's own parentheses; `rules_line` and `rules_column` (1-based)
    say where in the message it begins, so that its faults can be located there.
    """

    match_id: str
    role: str
    rules: str
    start_clock: float
    play_clock: float
    rules_line: int = field(default=1, compare=False)
    rules_column: int = field(default=1, compare=False)
    joints: Sequence[tuple[str, ...]] = field(default=(), compare=False)  # made already; no manager's START says so
    simulations: int = field(default=0, compare=False)  # descents a move at most, in a game on the page; 0: no limit

    @property
    def longest_clock(self) -> float:
        """Seconds of the longer of its clocks."""
        return max(self.start_clock, self.play_clock)


@dataclass(frozen=True, slots=True)
class Play:
    """What was played last; asks for the next move."""

    match_id: str
    moves: Moves


@dataclass(frozen=True, slots=True)
class Stop:
    """What was played last; the match is over."""

    match_id: str
    moves: Moves


@dataclass(frozen=True, slots=True)
class Abort:
    """The match ends without a result."""

    match_id: str


@dataclass(frozen=True, slots=True)
class ImperfectPlay:
    """PLAY or STOP of a match with imperfect information (GDL-II): own last move and percepts in place of moves."""

    match_id: str
    turn: int
    last_move: str
    percepts: tuple[str, ...]
    stop: bool = False


Message = Info | Preview | Start | Play | Stop | Abort | ImperfectPlay
