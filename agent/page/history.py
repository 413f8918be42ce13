"""Logs of running and finished matches: positions, moves and search figures.

A `MatchLog` grows while its match runs and does not change afterwards. `History` keeps the last ones in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import structlog

from agent.boards.author import author_of
from agent.boards.find_boards import Positions, layouts_of, over_of
from agent.boards.layout import Layout
from agent.boards.look import Look, look_of
from agent.boards.net_board import Net
from agent.boards.time_limit import TimeLimitError, within
from agent.worker.worker_messages import Position, Seen
from reasoner.rules.points import FULL

MAX_MOMENTS = 2_000
"""Maximum positions of one match that are kept; later positions are dropped."""
MAX_FACTS = 200_000
"""Maximum sum of the facts of all kept positions of one match."""
MAX_CHARACTERS = 4_000_000
"""Maximum characters of the facts and moves of all kept positions of a match, and of their search figures."""
LOOKED = 30
"""Positions of a match that are used to find boards and the owners of pieces."""
SHORTEST = 1e-6
"""Minimum seconds for computing a rate of playouts."""
MAX_BOARD_SECONDS = 2.0
"""Limit of processor seconds for finding the boards of a match; real games take about 0.2."""
MAX_REFUSED = 5
"""Maximum refused matches in the history; the limit leaves space for played matches."""
NUMBERS = 900_000_000
"""Count of the numbers of matches in the history."""
PAGE_GAME = re.compile(r"(page\.\d+)\.\d+(\.\d+)?")
"""Name of a game on the page, and ids of the agent's matches in it; the group is common to all of them."""
MAX_RATES = 400
"""Maximum points of the playout rate chart; when it is exceeded, every other point is dropped."""


@dataclass(slots=True)
class Moment:
    """One position: its joint move, its facts, its time, and the agent's search figures."""

    joint: tuple[str, ...]
    facts: tuple[str, ...]
    at: float  # time in seconds since 1970
    error: tuple[str, ...] = ()  # per role, in the spelling of a match record
    thinking: Mapping[str, Any] | None = None
    values: dict[int, float] = field(default_factory=dict)  # expected goal by role, 0..100
    choices: tuple[int, ...] = ()  # number of legal moves per role, if known


@dataclass(slots=True)
class MatchLog:
    """The log of one match for the page."""

    match_id: str
    title: str
    began: float  # start in seconds since 1970
    start_clock: float
    play_clock: float
    roles: tuple[str, ...] = ()
    role: int | None = None  # the agent's role; None if unknown or if it plays several roles
    players: tuple[str, ...] = ()  # per role
    status: str = "playing"
    terminal: bool = False
    goals: tuple[int | None, ...] | None = None
    cause: tuple[str, ...] | None = None  # deciding facts; None: not computed
    rules: str = ""  # empty if not kept
    seats: tuple[str, ...] = ()  # ids of the agent's matches in a game on the page
    opposed: bool = False  # whether the game is constant-sum between two roles in random games
    points: int = FULL  # maximum goal value, if known
    key: int = 0  # number of the match in the history
    untold: int = 0  # number of joint moves that were made but whose positions are unknown
    ended: float = 0.0  # end of a match of a game manager in seconds since 1970
    unread: Path | None = None  # journal from which the positions are computed on demand
    note: str = ""  # reason why some positions or figures cannot be shown
    partial: bool = False  # whether its last positions are unknown
    faults: Sequence[Mapping[str, Any]] = ()  # diagnostics of refused rules
    last: Moment | None = None  # the last position, even if `moments` has reached its limits
    turn: int = 0  # number of joint moves before it
    moments: list[Moment] = field(default_factory=list)
    rates: list[tuple[float, float]] = field(default_factory=list)  # (seconds since the start, playouts/s)
    _names: dict[str, str] = field(default_factory=dict)  # interned facts, shared by all positions
    _size: int = 0
    _characters: int = 0
    _sample: Sequence[tuple[Sequence[str], Sequence[str]]] = ()
    _links: Sequence[Sequence[Sequence[str]]] = ()
    _orders: Sequence[Sequence[str]] = ()
    _nets: Sequence[Sequence[Sequence[str]]] = ()
    _upright: Sequence[str] = ()
    _foreseen: bool = False
    _look: Look = field(default_factory=Look)
    _look_size: tuple[int, int] = (-1, -1)
    _drawn_elsewhere: bool = False
    _thoughts: dict[int, int] = field(default_factory=dict)  # characters of the kept figures, by turn
    _last: tuple[int, float, float] = (-1, 0.0, 0.0)  # turn, playouts and search seconds of the last figures

    @property
    def foreseen(self) -> bool:
        """Whether a referee was asked about the game."""
        return self._foreseen

    @property
    def unexplained(self) -> bool:
        """Whether the match is over and its cause was not computed."""
        return self.terminal and self.cause is None and not self.full

    @property
    def full(self) -> bool:
        """Whether the last position is not kept in `moments`."""
        return self.turn >= len(self.moments)

    def foresee(self, first: Position | None) -> None:
        """Store the drawing data that a referee found in the rules, or None if it found none; called once."""
        self._foreseen = True
        if first is not None:
            self.may_hold(first)
            self._look_size = (-1, -1)

    def may_hold(self, first: Position) -> None:
        """Store the drawing data of a game's first position."""
        self._foreseen = True
        self._names.update((fact, fact) for fact in first.possible)
        self._sample, self._links, self._orders = first.sample, first.links, first.orders
        self._nets, self._upright = first.nets, first.upright
        self.opposed, self.points = first.opposed, first.points

    def take(self, told: Position | Seen, at: float, error: tuple[str, ...] = (), *, again: bool = False) -> None:
        """Add a position received at `at`, in seconds since 1970; for other parameters see `reach`."""
        self.reach(told.step, Moment(tuple(told.joint), tuple(told.facts), at, error), again=again)
        if isinstance(told, Position) and told.step < len(self.moments):
            self.moments[told.step].choices = tuple(map(len, told.legal))
        self.terminal = told.terminal
        self.goals = None if told.goals is None else tuple(told.goals)
        self.cause = tuple(told.cause) if isinstance(told, Position) else None

    def reach(self, turn: int, moment: Moment, *, again: bool = False) -> None:
        """Add the position after `turn` joint moves, and drop later positions.

        With `again`, the position may be known already; a known position keeps its search figures.
        """
        if again and turn < len(self.moments) and self.moments[turn].joint == moment.joint:
            return
        self.last, self.turn = moment, turn
        del self.moments[turn:]
        if turn != len(self.moments) or turn >= MAX_MOMENTS or self._size > MAX_FACTS:
            return
        characters = sum(map(len, moment.facts)) + sum(map(len, moment.joint))
        if self._characters + characters > MAX_CHARACTERS:
            return
        self._characters += characters
        facts = tuple(self._names.setdefault(fact, fact) for fact in moment.facts)
        self._size += len(facts)
        self.last = Moment(moment.joint, facts, moment.at, moment.error)
        self.moments.append(self.last)

    def forget_positions(self) -> None:
        """Drop all positions."""
        self.moments.clear()
        self.last, self.turn = None, 0
        self._names.clear()
        self._size = self._characters = 0
        self._look_size, self.terminal, self.goals = (-1, -1), False, None

    def think(self, turn: int, figures: Mapping[str, Any], at: float, role: int | None = None) -> None:
        """Store the search figures of the position after `turn` joint moves; `role` defaults to the match's own."""
        role = self.role if role is None else role
        if turn < len(self.moments) and "moves" not in figures:  # a report of the engine alone
            figures = {**(self.moments[turn].thinking or {}), **figures}
        if turn < len(self.moments) and self._has_room(turn, figures):
            self.moments[turn].thinking = figures
            value = figures.get("value")
            if role is not None and isinstance(value, int | float) and 0 <= value <= 100:
                self.moments[turn].values[role] = float(value)
        playouts, seconds = figures.get("playouts"), figures.get("seconds")
        if isinstance(playouts, int | float) and isinstance(seconds, int | float):
            self._rate(turn, float(playouts), float(seconds), at)

    def _has_room(self, turn: int, figures: Mapping[str, Any]) -> bool:
        """Whether the figures of a position, which replace its earlier figures, stay within MAX_CHARACTERS."""
        self._thoughts.pop(turn, None)
        size = len(repr(figures))
        if sum(self._thoughts.values()) + size > MAX_CHARACTERS:
            return False
        self._thoughts[turn] = size
        return True

    @property
    def steps(self) -> int:
        """Number of joint moves made."""
        return max(self.turn, self.untold)

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """The boards."""
        return self.look.layouts

    @property
    def look(self) -> Look:
        """How positions are drawn; recomputed when new facts appear, and after each of the first moves.

        Once `keep_look` was called, this property only returns the look that was stored last.
        """
        if not self._drawn_elsewhere and (question := self.look_question()) is not None:
            size, find = question
            self._look_size, self._look = size, find()
        return self._look

    def look_question(self) -> tuple[tuple[int, int], Callable[[], Look]] | None:
        """Return the size to pass to `keep_look`, and a function that computes the look in any thread.

        Return None if the look is up to date.
        """
        size = (len(self._names), min(len(self.moments), LOOKED))
        if self._look_size == size or not self.moments:
            return None
        played = [(moment.joint, moment.facts) for moment in self.moments[:LOOKED]]
        known = [*self._sample, *played] if len(self._sample) < LOOKED else self._sample
        names, first, last = tuple(self._names), self.moments[0].facts, self.moments[-1].facts
        by = self._orders, self._nets, self._upright
        return size, partial(_new_look, self.title, self.roles, first, last, names, known, by, self._links)

    def keep_look(self, size: tuple[int, int], look: Look) -> None:
        """Store the look that the function of `look_question` has returned."""
        self._look_size, self._look, self._drawn_elsewhere = size, look, True

    def _rate(self, turn: int, playouts: float, seconds: float, at: float) -> None:
        before, self._last = self._last, (turn, playouts, seconds)
        same = before[0] == turn and before[1] <= playouts
        games, time = (playouts - before[1], seconds - before[2]) if same else (playouts, seconds)
        if time >= SHORTEST and games > 0:
            self.rates.append((round(at - self.began, 1), round(games / time)))
        if len(self.rates) > MAX_RATES:
            del self.rates[::2]


def _new_look(
    title: str,
    roles: tuple[str, ...],
    first: Sequence[str],
    last: Sequence[str],
    names: Sequence[str],
    known: Positions,
    by: tuple[Sequence[Sequence[str]], Sequence[Net], Sequence[str]],
    links: Sequence[Sequence[Sequence[str]]],
) -> Look:
    """Find how the positions of a match are drawn; `by` is orders, nets and upright relations.

    If the search takes too long or fails, the look has no boards, and facts are listed.
    """
    author = author_of(title)
    try:
        with within(MAX_BOARD_SECONDS):
            layouts = layouts_of(first, names, known, *by) or layouts_of(last, names, (), *by)
            over = over_of(layouts, first, names, known, author.hidden)
            return look_of(layouts, first, roles, known, links, author, over)
    except TimeLimitError:
        return Look(roles=roles, author=author)
    except Exception:  # a game can be played without its board
        structlog.get_logger().exception("no boards are drawn, because the search for them failed")
        return Look(roles=roles, author=author)


def number_of(match_id: str, ended: float) -> int:
    """Return the number of a match in the history, from its id and the second of its end.

    It does not depend on the other matches. So a link leads to the same match when the agent is started again and reads
    the matches from their journals, or to none. All ids of one game on the page give one number.
    """
    page = PAGE_GAME.fullmatch(match_id)
    return 1 + crc32((page[1] if page else f"{match_id} {ended:.0f}").encode()) % NUMBERS


class History:
    """The last finished matches, newest first, at most `limit`."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._logs: dict[int, MatchLog] = {}

    def add(self, log: MatchLog) -> None:
        """Add a finished match, unless it has no data to show."""
        if not (log.moments or log.untold or log.note):
            return
        log.key = number_of(log.match_id, log.ended)
        while log.key in self._logs:
            log.key += 1
        self._logs[log.key] = log
        refused = [key for key, one in self._logs.items() if not (one.moments or one.untold)]
        for key in refused[:-MAX_REFUSED]:
            del self._logs[key]
        while len(self._logs) > self._limit:
            del self._logs[next(iter(self._logs))]

    def get(self, key: int) -> MatchLog | None:
        """Return the match with this number, if it is kept."""
        return self._logs.get(key)

    def remove(self, key: int) -> MatchLog | None:
        """Remove a match and return it."""
        return self._logs.pop(key, None)

    def all(self) -> list[MatchLog]:
        """Return all matches, newest first."""
        return list(reversed(self._logs.values()))
