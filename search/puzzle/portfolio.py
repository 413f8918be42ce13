"""Search of a game of one role: the tree search, the planner of subgames, and the methods of this folder take turns.

The solvers' processes run beside them. The best line from any of them is kept and played after a check on the machine.
All stop when a known line reaches the upper bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from reasoner.arrays import Bools
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.points import FULL, worth
from search.clock import Clock
from search.factoring.limits import TooLargeError
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.puzzle.apart import Apart
from search.puzzle.beam import Beam
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.goal_beam import GoalBeam
from search.puzzle.horizon_solver import Horizons
from search.puzzle.method import Found, Method
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.pattern_beam import PatternBeam
from search.puzzle.shortening import SECONDS, Shortening
from search.report import Report
from search.root.choice import BestLine
from search.root.remote import RootStats, with_line
from search.root.summary import played_first
from search.subgames.planned import PlannedSearch

TURN, IDEAS_TURN = 0.02, 0.06
"""Seconds that the tree search has, and then all methods together: the tree search finds a solution early or seldom."""
LEAD = 0.1
"""Seconds in a position that the tree search has alone: most games are solved in them, and no process is started."""
SHARE = 6
"""Each method gets the memory of the options divided by this."""
SECONDS_A_GATE = 2e-6
"""Estimated first-time duration of a method's longest step; later the longest measured step counts."""


KINDS: tuple[type[Method], ...] = (OrderFreeSolver, BreadthFirst, GoalBeam, PatternBeam, Beam, Horizons)


Inner = NativeSearch | PlannedSearch


class PuzzleSearch:
    """A `Thinker` for a machine that is a circuit of one role; see `search.search.Search` for its methods."""

    def __init__(
        self, inner: Inner, machine: CircuitMachine, state: bytes, options: SearchOptions, clock: Clock
    ) -> None:
        self._inner, self._machine = inner, machine
        self._state, self._options, self._clock = state, options, clock
        self._most = int(machine.circuit.goals[:, 1].max(initial=0))
        self._bound = min(machine.points, self._most)  # upper bound on the points from here on
        self._line: tuple[Term, ...] = ()  # from here to the best end that a method found
        self._value = -1
        self._by = ""  # which method
        self._ideas: list[Method] | None = None  # None: not started in this position
        self._since = 0.0  # when they were first started
        self._told: tuple[str, ...] = ()
        self._memory = options.memory_mib * 2**20 // SHARE
        self._shortening: Shortening | None = None  # of the line that solves the game
        self._alone = 0.0  # seconds that the tree search had alone here
        self._longest = max(TURN, SECONDS_A_GATE * len(machine.circuit.left))

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return self._inner.forced

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._inner.solved or self._known >= self._bound

    def _due(self, end: float, stop: Callable[[], bool] | None) -> bool:
        """Return whether a turn of the tree search is over."""
        return self._clock.now() >= end or bool(stop and stop())

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""
        while not self.solved and (now := self._clock.now()) < deadline and not (stop and stop()):
            end = min(deadline, now + TURN)
            self._inner.think(deadline, partial(self._due, end, stop))
            self._alone += self._clock.now() - now
            if self._alone >= LEAD and not self.solved:
                self._take_turns(deadline, stop)
        if self.solved:
            self._end()
            self._shorten(deadline, stop)

    def _shorten(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Once the game is solved, look for a shorter line to the same end."""
        if self._shortening is None:
            if self._clock.now() + SECONDS + 2 * self._longest >= deadline:
                return
            line = self._line if self._leads else self._inner.line
            known = len(line) if self._known > 0 else 0, int(self._known)  # a line worth nothing is not shortened
            self._shortening = Shortening(self._machine, self._bits(), self._memory, self._clock, known)
        found = self._shortening.look(deadline, stop, self._longest)
        if found is not None:
            self._take(found, BreadthFirst.name)

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        self._inner.commit(move)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`: the bound stays valid, and a line that is followed is kept."""
        self._inner.advance(joint, state)
        assert isinstance(state, bytes)
        self._state, self._alone = state, LEAD if self._ideas else 0.0
        follows = self._line[:1] == (joint[0],)
        self._line = self._line[1:] if follows else ()
        self._value = self._value if self._line else -1
        if not self.solved or (self._shortening is not None and not self._shortening.done):
            self._shortening = None  # it started from an earlier position
        if self._ideas is not None:
            move, bits = self._machine.circuit.moves[0].index(joint[0]), self._bits()
            self._ideas = [method if method.advance(move, bits) else self._renewed(method) for method in self._ideas]

    def best(self) -> Term:
        """See `search.search.Search.best`; a move that ends the match for less than a known line is avoided."""
        if (
            self._leads
            and not self.forced
            and self._value >= min(self._bound, self._in_points(self._inner.known_elsewhere))
        ):
            return self._line[0]
        move = self._inner.best()
        return move if self.forced or self.solved else self._not_the_end(move)

    def _not_the_end(self, move: Term) -> Term:
        """Return `move`, or another one if it ends the match for nothing or for less than a known line."""
        if not self._ends_low(move):
            return move
        others = [each for each in self._machine.legal(self._state)[0] if not self._ends_low(each)]
        looked = {each.move: (each.value, each.visits) for each in self._inner.report().moves}
        return max(others, key=lambda each: looked.get(each, (0.0, 0)), default=move)

    def _ends_low(self, move: Term) -> bool:
        """Return whether a move ends the match for nothing or for less than a known line."""
        after = self._machine.next(self._state, (move,))
        if not self._machine.terminal(after) and self._machine.legal(after)[0]:
            return False
        points = self._machine.goal(after)[0] or 0
        return points == 0 or points < self._known

    def root_stats(self) -> RootStats:
        """See `search.search.Search.root_stats`."""
        found = self._inner.root_stats()
        roles, line = self._machine.roles, self._line
        return with_line(found, line[0], roles[0], worth(self._value, self._machine.points)) if line else found

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        found = self._inner.report()
        if self._leads:
            best = BestLine(self._line[0], worth(self._value, self._machine.points))
            moves = played_first(found.moves, self._line[0], best)
            found = replace(found, moves=moves, principal_variation=tuple((move,) for move in self._line))
        line = self._known if self._known < 0 else 100 * worth(self._known, self._machine.points)
        return replace(found, solved=self.solved, line=line, ideas=self._shown(), by=self._player)

    @property
    def _known(self) -> float:
        """The points that a known line ends with, -1 without one."""
        return max(self._value, self._in_points(self._inner.known))

    def _in_points(self, percent: float) -> float:
        """Convert the tree search's value, 0..100, to the points that the rules give."""
        points = self._machine.points
        return percent if points == FULL else round(percent * points / FULL, 6)

    @property
    def _leads(self) -> bool:
        """Whether the methods' line is better than the tree search's, or as good and, at the bound, no longer."""
        known = self._in_points(self._inner.known)
        if not self._line or self._value != known:
            return bool(self._line) and self._value > known
        return self._value < self._bound or len(self._line) <= len(self._inner.line)

    @property
    def _player(self) -> str:
        """The name of the method whose line is played."""
        if self._leads:
            return self._by
        return "subgames" if isinstance(self._inner, PlannedSearch) and self._inner.planned else "tree"

    def _take_turns(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Give turns to the methods that are not done, IDEAS_TURN seconds in all."""
        now = self._clock.now()
        ideas = self._begun(deadline) if self._ideas is None else self._ideas
        self._add_apart(ideas)
        open_ = [method for method in ideas if not method.done]
        first = turns_of(open_, now - self._since)
        for method in first:
            self._turns(method, IDEAS_TURN / len(first), deadline, stop)

    def _turns(self, method: Method, seconds: float, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Give a method at least one turn, if there is time, and more while it works."""
        began = now = self._clock.now()
        while now + 2 * self._longest < deadline and now - began < seconds:
            self._turn(method)
            self._longest = max(self._longest, self._clock.now() - now)
            now = self._clock.now()
            if method.waiting or method.done or self.solved or (stop and stop()):
                break

    def _begun(self, deadline: float) -> list[Method]:
        """Start the methods for this game, if there is time."""
        if self._clock.now() + 2 * self._longest >= deadline:
            return []
        self._since = self._since or self._clock.now()
        self._ideas = [self._made(kind) for kind in KINDS]
        return self._ideas

    def _add_apart(self, ideas: list[Method]) -> None:
        """Add the solver of single subgames as soon as they are known."""
        split = self._inner.split if isinstance(self._inner, PlannedSearch) else None
        if ideas and split is not None and not any(isinstance(method, Apart) for method in ideas):
            ideas.insert(0, Apart(self._machine, *split, self._bits(), self._memory))

    def _made(self, kind: type[Method]) -> Method:
        """Start a method from the present state."""
        return kind(self._machine, self._bits(), self._memory)

    def _bits(self) -> Bools:
        """The searched bases."""
        bits = np.unpackbits(np.frombuffer(self._state, np.uint8), count=self._machine.circuit.searched)
        return bits.astype(np.bool_)

    def _renewed(self, method: Method) -> Method:
        method.close()
        return self._made(type(method))

    def _turn(self, method: Method) -> None:
        """Give a method a turn, and take its line if the machine confirms it."""
        try:
            found = method.turn(int(self._known))
        except (MemoryError, LimitError, TooLargeError):  # it exceeds a limit: the others continue
            method.close()
            return
        if found is not None and found.value > self._known and not self._take(found, method.name):
            method.close()  # its line is wrong: its bound may be, too
            return
        self._bound = min(self._bound, method.bound)

    def _take(self, found: Found, by: str) -> bool:
        """Keep a line if it plays as claimed; return whether it does."""
        moves = tuple(self._machine.circuit.moves[0][move] for move in found.moves)
        if not plays(self._machine, self._state, moves, found.value):
            return False
        self._line, self._value, self._by = moves, found.value, by
        return True

    def _shown(self) -> tuple[str, ...]:
        """What each method found and proved, for people."""
        if self._ideas is None:
            return self._told
        told = tuple(f"{method.name}: {method.told}" for method in self._ideas)
        line = (f"{self._value} points in {len(self._line)} moves by {self._by}",) if self._line else ()
        bound = (f"no more than {self._bound} points",) if self._bound < self._most else ()
        return (*told, *line, *bound)

    def _end(self) -> None:
        """Release processes and memory, and keep the methods' reports."""
        if self._ideas is not None:
            self._told = self._shown()
            for method in self._ideas:
                method.close()
            self._ideas = None


def turns_of(open_: list[Method], seconds: float) -> list[Method]:
    """Return the methods that have turns now, `seconds` after they were started."""
    leader = next((method for method in open_ if seconds < method.leads), None)
    if leader is not None and not leader.waiting:
        return [leader]
    if leader is not None:  # another leader would solve the whole game, of which this one solves a part
        open_ = [method for method in open_ if method is leader or not method.leads]
    return [method for method in open_ if seconds < method.alone] or open_


def plays(machine: CircuitMachine, state: State, moves: Sequence[Term], value: int) -> bool:
    """Return whether the moves are legal in order, and the game ends after the last, not before, with this value."""
    for move in moves:
        if machine.terminal(state) or move not in machine.legal(state)[0]:
            return False
        state = machine.next(state, (move,))
    return (machine.terminal(state) or not machine.legal(state)[0]) and (machine.goal(state)[0] or 0) == value
