"""What is known of matches: positions, moves and thoughts of each, live ones and those before.

A `MatchLog` grows while its match runs and is never changed afterwards. `History` keeps the last ones, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agent.gamemaster.layout import Layout
from agent.gamemaster.patience import ImpatientError, within
from agent.page.author import author_of
from agent.page.find_boards import Positions, layouts_of, over_of
from agent.page.look import Look, look_of
from agent.page.net_board import Net
from agent.worker.messages import Position, Seen
from reasoner.rules.points import FULL

MAX_MOMENTS = 2_000
"""Positions of one match that are kept; it goes on without the later ones."""
MAX_FACTS = 200_000
"""Different facts times positions of one match that are kept."""
MAX_CHARACTERS = 4_000_000
"""Characters of the facts and moves of these positions, and as many of the thoughts about them."""
LOOKED = 30
"""Positions of a match by which boards and the owners of pieces are found."""
SHORTEST = 1e-6
"""Seconds from which on so many playouts in them are a rate."""
PATIENCE = 2.0
"""Seconds of the processor that finding out how a match is drawn may take; real games take a fifth of one."""
MAX_REFUSED = 5
"""Matches of which only is known why they were refused that are kept: junk pushes no match out of the history."""
MAX_RATES = 400
"""Points of the line of playouts per second; every other one is dropped when there are more."""


@dataclass(slots=True)
class Moment:
    """One position: the joint move that led to it, its facts, when it came, and what the agent thought in it."""

    joint: tuple[str, ...]
    facts: tuple[str, ...]
    at: float  # seconds since 1970
    error: tuple[str, ...] = ()  # per role, as a record spells it
    thinking: Mapping[str, Any] | None = None
    values: dict[int, float] = field(default_factory=dict)  # 0..100 by role: the goal that the agent expects there
    choices: tuple[int, ...] = ()  # legal moves per role, where they are known


@dataclass(slots=True)
class MatchLog:
    """One match as people see it."""

    match_id: str
    title: str
    began: float  # seconds since 1970
    start_clock: float
    play_clock: float
    roles: tuple[str, ...] = ()
    role: int | None = None  # the agent's; None where it is not known or plays several
    players: tuple[str, ...] = ()  # per role
    status: str = "playing"
    terminal: bool = False
    goals: tuple[int | None, ...] | None = None
    cause: tuple[str, ...] | None = None  # facts that decided; None: not asked for
    rules: str = ""  # where they are kept
    seats: tuple[str, ...] = ()  # the ids of the agent's matches at a table of the page
    opposed: bool = False  # whether what one of two roles gains the other loses, as far as random games tell
    points: int = FULL  # the goal that is the whole, as far as it is known
    key: int = 0  # its number in the history
    untold: int = 0  # joint moves known to have been made, of which the positions were not told
    note: str = ""  # why there is no more to be seen
    faults: Sequence[Mapping[str, Any]] = ()  # of its rules, where those were refused
    facts: tuple[str, ...] = ()  # of the position told last, also where no more positions are kept
    moments: list[Moment] = field(default_factory=list)
    rates: list[tuple[float, float]] = field(default_factory=list)  # seconds since it began, playouts per second
    _names: dict[str, str] = field(default_factory=dict)  # every fact seen, to itself: one text for all positions
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
    _thoughts: dict[int, int] = field(default_factory=dict)  # characters of those kept, by turn
    _last: tuple[int, float, float] = (-1, 0.0, 0.0)  # turn, playouts and seconds of the last figures

    @property
    def foreseen(self) -> bool:
        """Whether it was asked what the game may come to."""
        return self._foreseen

    @property
    def unexplained(self) -> bool:
        """Whether it is over, and it was not asked why."""
        return self.terminal and self.cause is None and bool(self.moments) and self.moments[-1].facts == self.facts

    def foresee(self, first: Position | None) -> None:
        """What a referee has found of the rules, or that it found nothing; it is not asked again."""
        self._foreseen = True
        if first is not None:
            self.may_hold(first)
            self._look_size = (-1, -1)

    def may_hold(self, first: Position) -> None:
        """What a referee tells with the first position of a game, to lay out the board before anything is played."""
        self._foreseen = True
        self._names.update((fact, fact) for fact in first.possible)
        self._sample, self._links, self._orders = first.sample, first.links, first.orders
        self._nets, self._upright = first.nets, first.upright
        self.opposed, self.points = first.opposed, first.points

    def take(self, told: Position | Seen, at: float, error: tuple[str, ...] = (), *, again: bool = False) -> None:
        """A position as a process tells it at `at`, in seconds since 1970; the rest as for `reach`."""
        self.reach(told.step, Moment(tuple(told.joint), tuple(told.facts), at, error), again=again)
        if isinstance(told, Position) and told.step < len(self.moments):
            self.moments[told.step].choices = tuple(map(len, told.legal))
        self.terminal = told.terminal
        self.goals = None if told.goals is None else tuple(told.goals)
        self.cause = tuple(told.cause) if isinstance(told, Position) else None

    def reach(self, turn: int, moment: Moment, *, again: bool = False) -> None:
        """The position after `turn` joint moves; a match that goes back begins again from there.

        `again` says that the position may have been told before, and is then kept with what was thought in it.
        """
        self.facts = moment.facts
        if again and turn < len(self.moments) and self.moments[turn].joint == moment.joint:
            return
        del self.moments[turn:]
        if turn != len(self.moments) or turn >= MAX_MOMENTS or self._size > MAX_FACTS:
            return
        characters = sum(map(len, moment.facts)) + sum(map(len, moment.joint))
        if self._characters + characters > MAX_CHARACTERS:
            return
        self._characters += characters
        facts = tuple(self._names.setdefault(fact, fact) for fact in moment.facts)
        self._size += len(facts)
        self.moments.append(Moment(moment.joint, facts, moment.at, moment.error))

    def forget_positions(self) -> None:
        """Be as before any position was told."""
        self.moments.clear()
        self._names.clear()
        self._size = self._characters = 0
        self._look_size, self.terminal, self.goals = (-1, -1), False, None

    def think(self, turn: int, figures: Mapping[str, Any], at: float, role: int | None = None) -> None:
        """What the agent thinks in the position after `turn` joint moves, as `role` if not the match's own."""
        role = self.role if role is None else role
        if turn < len(self.moments) and "moves" not in figures:  # news of the engine alone
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
        """Whether thoughts may be kept, in place of those that are kept of the same position."""
        self._thoughts.pop(turn, None)
        size = len(repr(figures))
        if sum(self._thoughts.values()) + size > MAX_CHARACTERS:
            return False
        self._thoughts[turn] = size
        return True

    @property
    def steps(self) -> int:
        """Joint moves made."""
        return max(len(self.moments) - 1, self.untold)

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """Where the boards are."""
        return self.look.layouts

    @property
    def look(self) -> Look:
        """How positions are drawn; found again when facts came up that were not known, and after the first moves.

        What was found elsewhere is taken as it is, though more may be known by now.
        """
        if not self._drawn_elsewhere and (question := self.look_question()) is not None:
            size, find = question
            self._look_size, self._look = size, find()
        return self._look

    def look_question(self) -> tuple[tuple[int, int], Callable[[], Look]] | None:
        """How positions are drawn, to be found out where it is not known; it may be done in another thread."""
        size = (len(self._names), min(len(self.moments), LOOKED))
        if self._look_size == size or not self.moments:
            return None
        played = [(moment.joint, moment.facts) for moment in self.moments[:LOOKED]]
        known = [*self._sample, *played] if len(self._sample) < LOOKED else self._sample
        names, first, last = tuple(self._names), self.moments[0].facts, self.moments[-1].facts
        by = self._orders, self._nets, self._upright
        return size, partial(_new_look, self.title, self.roles, first, last, names, known, by, self._links)

    def keep_look(self, size: tuple[int, int], look: Look) -> None:
        """What was found elsewhere of a question."""
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
    """How the positions of a match are drawn; `by` are orders, nets, and relations that are upright.

    Without boards where finding them takes too long: then facts are listed.
    """
    author = author_of(title)
    try:
        with within(PATIENCE):
            layouts = layouts_of(first, names, known, *by) or layouts_of(last, names, (), *by)
            over = over_of(layouts, first, names, known, author.hidden)
            return look_of(layouts, first, roles, known, links, author, over)
    except ImpatientError:
        return Look(roles=roles, author=author)


class History:
    """The last matches that are over, newest first, at most `limit`."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._logs: dict[int, MatchLog] = {}
        self._made = 0

    def add(self, log: MatchLog) -> None:
        """Keep a match that is over; one of which nothing is known is nothing to look at."""
        if not (log.moments or log.untold or log.note):
            return
        self._made += 1
        log.key = self._made
        self._logs[log.key] = log
        refused = [key for key, one in self._logs.items() if not (one.moments or one.untold)]
        for key in refused[:-MAX_REFUSED]:
            del self._logs[key]
        while len(self._logs) > self._limit:
            del self._logs[next(iter(self._logs))]

    def get(self, key: int) -> MatchLog | None:
        """The match of a number, while it is kept."""
        return self._logs.get(key)

    def remove(self, key: int) -> MatchLog | None:
        """Forget a match, and give it back a last time."""
        return self._logs.pop(key, None)

    def all(self) -> list[MatchLog]:
        """All that are kept, newest first."""
        return list(reversed(self._logs.values()))
