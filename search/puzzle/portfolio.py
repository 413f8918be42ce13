"""Search of a game of one role: the tree search and the solvers of this folder take turns.

The processes of SAT solvers run in parallel. The best line from any method is kept, and played after a check on the
machine. All methods stop when a known line reaches the upper bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.points import FULL, worth
from search.clock import Clock
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.puzzle.beam_solvers import Beam, GoalBeam, PatternBeam
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.horizon_solver import HorizonSolver
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.solver import PuzzleSolver, Solution, turn_of
from search.puzzle.subgame_solver import SubgameSolver
from search.report import Report
from search.root.choice import BestLine
from search.root.remote import RootStats, with_line
from search.root.summary import played_first
from search.subgames.split_detector import Split, SplitDetector

TURN_SECONDS, SOLVERS_TURN_SECONDS = 0.02, 0.06
"""Seconds of a turn of the tree search, and of the following turns of all solvers together."""
LEAD_SECONDS = 0.1
"""Seconds in a position that the tree search has alone. It solves most games in this time, so no process is started."""
SHORTEN_SECONDS = 0.5
"""Seconds for finding a shorter line to the same end in a solved game."""
MEMORY_SHARE = 6
"""Each solver gets the memory of the options divided by this number."""
MIN_SUBGAMES = 2
"""Minimum number of subgames for solving them one by one."""
SECONDS_A_GATE = 2e-6
"""Estimated seconds per gate of a solver's longest step, until a longer step is measured."""


SOLVERS: tuple[type[PuzzleSolver], ...] = (OrderFreeSolver, BreadthFirst, GoalBeam, PatternBeam, Beam, HorizonSolver)


class PuzzleSearch:
    """A `Thinker` for a `CircuitMachine` of one role; see `search.search.Search` for its methods."""

    def __init__(
        self, tree: NativeSearch, machine: CircuitMachine, state: bytes, options: SearchOptions, clock: Clock
    ) -> None:
        self._tree, self._machine = tree, machine
        self._state, self._options, self._clock = state, options, clock
        self._detector = SplitDetector(machine.circuit, clock)
        self._split: Split | None = None
        self._most = int(machine.circuit.goals[:, 1].max(initial=0))
        self._bound = min(machine.points, self._most)  # upper bound on the points from here on
        self._line: tuple[Term, ...] = ()  # from here to the best end that a solver found
        self._value = -1
        self._by = ""  # name of the solver that found `_line`
        self._solvers: list[PuzzleSolver] | None = None  # None: not started in this position
        self._since = 0.0  # time when the solvers were first started
        self._summary: tuple[str, ...] = ()
        self._memory = options.memory_mib * 2**20 // MEMORY_SHARE
        self._shorter: BreadthFirst | None = None  # the search for a shorter line to the end of the solved game
        self._shorten_seconds, self._shortened = SHORTEN_SECONDS, False  # time left; whether it is done
        self._alone = 0.0  # seconds that the tree search had alone here
        self._longest = max(TURN_SECONDS, SECONDS_A_GATE * len(machine.circuit.left))

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return self._tree.forced

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._tree.solved or self._known >= self._bound

    def _due(self, end: float, stop: Callable[[], bool] | None) -> bool:
        """Return whether a turn of the tree search is over."""
        return self._clock.now() >= end or bool(stop and stop())

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""
        if self._options.factoring and self._split is None and not self.solved:
            self._split = self._detector.split(self._state, deadline)
        while not self.solved and (now := self._clock.now()) < deadline and not (stop and stop()):
            end = min(deadline, now + TURN_SECONDS)
            self._tree.think(deadline, partial(self._due, end, stop))
            self._alone += self._clock.now() - now
            if self._alone >= LEAD_SECONDS and not self.solved:
                self._take_turns(deadline, stop)
        if self.solved:
            self._end()
            self._shorten(deadline, stop)

    def _shorten(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Once the game is solved, look for a shorter line to the same end."""
        length, value = len(self._line if self._leads else self._tree.line), int(self._known)
        if self._shortened or length < 2 or value <= 0:
            return
        if self._shorter is None and self._clock.now() + SHORTEN_SECONDS + 2 * self._longest < deadline:
            self._shorter = BreadthFirst(self._machine, self._bits(), self._memory)
            self._shorten_seconds = SHORTEN_SECONDS
        while self._shorter is not None and not (stop and stop()):
            began = self._clock.now()
            if began + 2 * self._longest >= deadline:
                break
            found = turn_of(self._shorter, value - 1)
            self._shorten_seconds -= self._clock.now() - began
            if found is not None and len(found.moves) < length:
                self._take(found, BreadthFirst.name)
            if found is not None or self._shorter.done or self._shorter.depth >= length or self._shorten_seconds <= 0:
                self._shorter, self._shortened = None, True

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        self._tree.commit(move)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`: the bound stays valid; the line is kept if the move follows it."""
        self._tree.advance(joint, state)
        assert isinstance(state, bytes)
        self._state, self._alone = state, LEAD_SECONDS if self._solvers else 0.0
        follows = self._line[:1] == (joint[0],)
        self._line = self._line[1:] if follows else ()
        self._value = self._value if self._line else -1
        if not self.solved or not self._shortened:
            self._shorter, self._shortened = None, False  # it started from an earlier position
        if self._solvers is not None:
            move, bits = self._machine.circuit.moves[0].index(joint[0]), self._bits()
            self._solvers = [
                solver if solver.advance(move, bits) else self._renewed(solver) for solver in self._solvers
            ]

    def best(self) -> Term:
        """See `search.search.Search.best`; a move that ends the match with less than a known line is avoided."""
        if (
            self._leads
            and not self.forced
            and self._value >= min(self._bound, self._in_points(self._tree.known_elsewhere))
        ):
            return self._line[0]
        move = self._tree.best()
        return move if self.forced or self.solved else self._not_the_end(move)

    def _not_the_end(self, move: Term) -> Term:
        """Return `move`, or another move if it ends the match with 0 points or with less than a known line."""
        if not self._ends_low(move):
            return move
        others = [each for each in self._machine.legal(self._state)[0] if not self._ends_low(each)]
        looked = {each.move: (each.value, each.visits) for each in self._tree.report().moves}
        return max(others, key=lambda each: looked.get(each, (0.0, 0)), default=move)

    def _ends_low(self, move: Term) -> bool:
        """Return whether a move ends the match with 0 points or with less than a known line."""
        after = self._machine.next(self._state, (move,))
        if not self._machine.terminal(after) and self._machine.legal(after)[0]:
            return False
        points = self._machine.goal(after)[0] or 0
        return points == 0 or points < self._known

    def root_stats(self) -> RootStats:
        """See `search.search.Search.root_stats`."""
        found = self._tree.root_stats()
        roles, line = self._machine.roles, self._line
        return with_line(found, line[0], roles[0], worth(self._value, self._machine.points)) if line else found

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        found = self._tree.report()
        if self._leads:
            best = BestLine(self._line[0], worth(self._value, self._machine.points))
            moves = played_first(found.moves, self._line[0], best)
            found = replace(
                found, moves=moves, principal_variation=tuple((move,) for move in self._line), variations=()
            )
        line = self._known if self._known < 0 else 100 * worth(self._known, self._machine.points)
        return replace(
            found,
            solved=self.solved,
            line=line,
            solvers=self._shown(),
            by=self._by if self._leads else "tree",
            factors=self._split.summary if self._split is not None else "",
            looking=self._detector.spent,
        )

    @property
    def _known(self) -> float:
        """The points at the end of the best known line; -1 without one."""
        return max(self._value, self._in_points(self._tree.known))

    def _in_points(self, percent: float) -> float:
        """Convert the tree search's value, 0..100, to the points that the rules give."""
        return round(percent * self._machine.points / FULL, 6)

    @property
    def _leads(self) -> bool:
        """Whether to play the solvers' line, not the tree's: it is better, or as good.

        Of two lines that reach the upper bound, the shorter one is played.
        """
        known = self._in_points(self._tree.known)
        if not self._line or self._value != known:
            return bool(self._line) and self._value > known
        return self._value < self._bound or len(self._line) <= len(self._tree.line)

    def _take_turns(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Give turns to the solvers that are not done, for SOLVERS_TURN_SECONDS in total."""
        now = self._clock.now()
        solvers = self._begun(deadline) if self._solvers is None else self._solvers
        self._add_subgame_solver(solvers)
        open_ = [solver for solver in solvers if not solver.done]
        first = turns_of(open_, now - self._since)
        for solver in first:
            self._turns(solver, SOLVERS_TURN_SECONDS / len(first), deadline, stop)

    def _turns(self, solver: PuzzleSolver, seconds: float, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Give a solver one turn, if there is time, and more turns within `seconds` while it does not wait."""
        began = now = self._clock.now()
        while now + 2 * self._longest < deadline and now - began < seconds:
            self._turn(solver)
            self._longest = max(self._longest, self._clock.now() - now)
            now = self._clock.now()
            if solver.waiting or solver.done or self.solved or (stop and stop()):
                break

    def _begun(self, deadline: float) -> list[PuzzleSolver]:
        """Return the solvers for this game; start them if there is time."""
        if self._clock.now() + 2 * self._longest >= deadline:
            return []
        self._since = self._since or self._clock.now()
        self._solvers = [self._made(kind) for kind in SOLVERS]
        return self._solvers

    def _add_subgame_solver(self, solvers: list[PuzzleSolver]) -> None:
        """Add the solver of single subgames as soon as the subgames are known."""
        split = self._split
        if not solvers or split is None or len(split.factoring.subgames) < MIN_SUBGAMES:
            return
        if not any(isinstance(solver, SubgameSolver) for solver in solvers):
            solvers.insert(0, SubgameSolver(self._machine, split, self._bits(), self._memory))

    def _made(self, kind: type[PuzzleSolver]) -> PuzzleSolver:
        """Start a solver from the present state."""
        return kind(self._machine, self._bits(), self._memory)

    def _bits(self) -> Bools:
        """Return the values of the searched bases in the present state."""
        bits = np.unpackbits(np.frombuffer(self._state, np.uint8), count=self._machine.circuit.searched)
        return bits.astype(np.bool_)

    def _renewed(self, solver: PuzzleSolver) -> PuzzleSolver:
        solver.close()
        return self._made(type(solver))

    def _turn(self, solver: PuzzleSolver) -> None:
        """Give a solver a turn, and take its line if the machine confirms it."""
        found = turn_of(solver, int(self._known))
        if found is not None and found.value > self._known and not self._take(found, solver.name):
            solver.close()  # its line is wrong, so its bound may be wrong too
            return
        self._bound = min(self._bound, solver.bound)

    def _take(self, found: Solution, by: str) -> bool:
        """Keep a line if it ends with the claimed value when played; return whether it does."""
        moves = tuple(self._machine.circuit.moves[0][move] for move in found.moves)
        if not plays(self._machine, self._state, moves, found.value):
            return False
        self._line, self._value, self._by = moves, found.value, by
        return True

    def _shown(self) -> tuple[str, ...]:
        """Describe what each solver found and proved, for people."""
        if self._solvers is None:
            return self._summary
        progress = tuple(f"{solver.name}: {solver.progress}" for solver in self._solvers)
        line = (f"{self._value} points in {len(self._line)} moves by {self._by}",) if self._line else ()
        bound = (f"no more than {self._bound} points",) if self._bound < self._most else ()
        return (*progress, *line, *bound)

    def _end(self) -> None:
        """Release processes and memory, and keep the solvers' reports."""
        if self._solvers is not None:
            self._summary = self._shown()
            for solver in self._solvers:
                solver.close()
            self._solvers = None


def turns_of(open_: list[PuzzleSolver], seconds: float) -> list[PuzzleSolver]:
    """Return the solvers that may run now, `seconds` after they were started."""
    leader = next((solver for solver in open_ if seconds < solver.leads), None)
    if leader is not None and not leader.waiting:
        return [leader]
    if leader is not None:  # another leader would solve the whole game, of which this one solves a part
        open_ = [solver for solver in open_ if solver is leader or not solver.leads]
    return [solver for solver in open_ if seconds < solver.alone] or open_


def plays(machine: CircuitMachine, state: State, moves: Sequence[Term], value: int) -> bool:
    """Return whether the moves are legal in order, and the game ends after the last, not before, with this value."""
    for move in moves:
        if machine.terminal(state) or move not in machine.legal(state)[0]:
            return False
        state = machine.next(state, (move,))
    return (machine.terminal(state) or not machine.legal(state)[0]) and (machine.goal(state)[0] or 0) == value
