"""Message types of the match protocol.

Ids, roles and moves keep the manager's exact spelling as text, with single spaces inside a compound move
(``(mark 1 1)``). Clocks are seconds and may be fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Moves = tuple[str, ...] | None
"""One move per role in role order, or None for NIL (no move yet)."""
JointOrGap = Sequence[str] | None
"""A joint move, or None for an unknown number of missed joint moves."""


@dataclass(frozen=True, slots=True)
class Info:
    """Ask for the agent's status."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Announce the rules of a possible later match; `rules` is their text without the list's own parentheses."""

    rules: str
    clock: float


@dataclass(frozen=True, slots=True)
class Start:
    """Start a match.

    `rules` is the rulesheet's text without the list's own parentheses; `rules_line` and `rules_column` (1-based)
    are its position in the message, to locate errors.
    """

    match_id: str
    role: str
    rules: str
    start_clock: float
    play_clock: float
    rules_line: int = field(default=1, compare=False)
    rules_column: int = field(default=1, compare=False)
    joints: Sequence[tuple[str, ...]] = field(default=(), compare=False)  # moves already made; never set by a manager
    simulations: int = field(default=0, compare=False)  # limit per move in a game on the page; 0: no limit
    player: str = field(default="", compare=False)  # another player's specification, in a game on the page

    @property
    def longest_clock(self) -> float:
        """The longer of the two clocks in seconds."""
        return max(self.start_clock, self.play_clock)


@dataclass(frozen=True, slots=True)
class Play:
    """Report the last joint move and ask for the next move."""

    match_id: str
    moves: Moves


@dataclass(frozen=True, slots=True)
class Stop:
    """Report the last joint move and end the match."""

    match_id: str
    moves: Moves


@dataclass(frozen=True, slots=True)
class Abort:
    """End the match without a result."""

    match_id: str


@dataclass(frozen=True, slots=True)
class ImperfectPlay:
    """PLAY or STOP with imperfect information (GDL-II): our own last move and percepts instead of a joint move."""

    match_id: str
    turn: int
    last_move: str
    percepts: tuple[str, ...]
    stop: bool = False


Message = Info | Preview | Start | Play | Stop | Abort | ImperfectPlay
