"""Solver for games of one role that split into subgames, one subgame after the other.

The best goal must be a conjunction of conditions on single subgames, and each move must act on one subgame. Each
subgame is then a puzzle with its own facts and move classes. It is over when its part of the goal holds, or when the
whole game is over whatever the other subgames show. The methods of this folder solve each subgame, and the lines are
played one after the other. So N puzzles take N times as long as one, and each may be of another kind.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import TRUE
from reasoner.circuit.traversal import conjuncts
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from reasoner.rules.points import FULL
from search.factoring.factors import ACTIONS, Factoring
from search.factoring.gates import going
from search.factoring.limits import TooLargeError
from search.puzzle.beam import Beam
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.goal_beam import GoalBeam
from search.puzzle.horizon_solver import Horizons
from search.puzzle.method import Found, Method
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.pattern_beam import PatternBeam
from search.subgames.plan.errors import ContradictionError
from search.subgames.plan.plan_check import played
from search.subgames.plan.projection import solitary
from search.subgames.restricted_circuit import packed
from search.subgames.split_detector import Split
from search.subgames.subgame_circuit import signals

FIRST_ROUNDS = 50
"""Turns that a subgame's breadth-first search has alone, which solve small subgames without the other methods."""
STAGES: tuple[tuple[tuple[type[Method], ...], int | None], ...] = (
    ((OrderFreeSolver,), 1),
    ((BreadthFirst,), FIRST_ROUNDS),
    ((GoalBeam, PatternBeam, Beam, Horizons), None),
)
"""Methods for a subgame, and how many rounds of turns they have before the next ones join them."""
EVERY = sum(len(kinds) for kinds, _ in STAGES)
SECONDS, LEADS = 3.0, 1.0
"""`Method.alone` and `Method.leads`, for each subgame that is solved or under way."""
SHARE = 2
"""Each method within a subgame gets the whole memory divided by this."""


class Apart:
    """The subgames of `split` from a state of the whole; see `Method`. `left` is the machine that `split` splits."""

    name = "apart"

    def __init__(self, whole: CircuitMachine, left: CircuitMachine, split: Split, state: Bools, memory: int) -> None:
        self._whole, self._left, self._split = whole, left, split
        self._memory = memory
        self._found: Found | None = None
        self._work: Iterator[None] | None = None
        self._ways: list[Method] = []  # of the subgame under way
        self._lines: dict[tuple[int, bytes], tuple[int, ...]] = {}  # by subgame and state of it
        self._number = 1  # of the subgame under way, from 1
        self.bound, self.told = whole.points, "nothing tried yet"
        self._begin(state)

    @property
    def done(self) -> bool:
        """See `Method.done`."""
        return self._work is None

    @property
    def alone(self) -> float:
        """See `Method.alone`."""
        return SECONDS * self._number

    @property
    def leads(self) -> float:
        """See `Method.leads`."""
        return LEADS * self._number

    @property
    def waiting(self) -> bool:
        """See `Method.waiting`."""
        return len(self._ways) == EVERY and all(way.waiting or way.done for way in self._ways)

    def turn(self, beaten: int) -> Found | None:  # noqa: ARG002 it looks only for the best value
        """See `Method.turn`."""
        self._found = None
        try:
            if self._work is not None and next(self._work, self) is self:
                self.close()
        except ContradictionError as error:
            self.told = str(error)
            self.close()
        return self._found

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 the state is enough
        """See `Method.advance`: lines found for unchanged subgames are reused."""
        self.close()
        self._begin(state)
        return True

    def close(self) -> None:
        """See `Method.close`."""
        self._work = None
        self._end_ways()

    def _begin(self, state: Bools) -> None:
        whole = np.zeros(self._split.part.width, np.bool_)
        whole[: len(state)] = state
        self._state = whole[self._split.part.bases]
        self._work = self._working()

    def _working(self) -> Iterator[None]:
        circuit, factoring = self._left.circuit, self._split.factoring
        best = max(circuit.goals.tolist(), key=lambda goal: goal[1])
        targets = wanted_of(circuit, factoring, best[2])
        if not targets:
            self.told = "the best goal is not a conjunction of subgame conditions"
            return
        present = going(circuit, factoring.counter)
        rows = list[Sequence[int]]()
        for number, (k, wanted) in enumerate(targets.items(), 1):
            self._number = number
            part = solitary(circuit, present, factoring.subgames[k], factoring.counter, self._state, wanted)
            yield
            key = k, self._state[list(factoring.subgames[k].bases)].tobytes()
            line = self._lines.get(key)
            if line is None:
                line = yield from self._solved(part.circuit)
            if line is None:
                self.told = f"subgame {number} of {len(targets)} is not solved"
                return
            self._lines[key] = line
            rows += [part.members[move] for move in line]
            self.told = f"{number} of {len(targets)} subgames in {len(rows)} moves"
        plan = played(self._left, packed(self._state.tolist()), rows, best[1])
        numbers = self._whole.circuit.moves[0]
        self._found = Found(best[1], tuple(numbers.index(term) for term in plan))

    def _solved(self, circuit: Circuit) -> Generator[None, None, tuple[int, ...] | None]:
        """Return the moves that solve a subgame, as numbers in its circuit; None if no method finds any."""
        if not len(circuit.legal):
            return () if circuit.terminal == TRUE else None
        machine = CircuitMachine(schedule(circuit, self._left.emitter), self._left.relational)
        yield
        state = circuit.initial[: circuit.searched]
        if machine.terminal(machine.initial()):
            return () if machine.goal(machine.initial())[0] == FULL else None
        line = yield from self._found_by(machine, state)
        self._end_ways()
        return line

    def _found_by(self, machine: CircuitMachine, state: Bools) -> Generator[None, None, tuple[int, ...] | None]:
        """Return the moves that solve a subgame; cheap and reliable methods run first, then all."""
        for kinds, rounds in STAGES:
            self._ways += [kind(machine, state, self._memory // SHARE) for kind in kinds]
            line = yield from self._rounds(rounds)
            if line is not None:
                return line
        return None

    def _rounds(self, most: int | None) -> Generator[None, None, tuple[int, ...] | None]:
        """Run rounds of turns until a method finds the best end, all are done, or `most` rounds have passed."""
        while any(not way.done for way in self._ways) and most != 0:
            most = None if most is None else most - 1
            for way in self._ways:
                line = yield from _led(way)
                if line is not None:
                    return line
        return None

    def _end_ways(self) -> None:
        for way in self._ways:
            way.close()
        self._ways = []


def _led(way: Method) -> Generator[None, None, tuple[int, ...] | None]:
    """Give a method one turn, or, if it leads, turns until it waits; return the moves to the best end, if any."""
    while True:
        found = _turn(way)
        if found is not None and found.value == FULL:
            return found.moves
        yield
        if not way.leads or way.waiting or way.done:
            return None


def _turn(way: Method) -> Found | None:
    """Give a method a turn; close it if it exceeds a limit."""
    try:
        return None if way.done else way.turn(0)
    except (MemoryError, LimitError, TooLargeError):
        way.close()
        return None


def wanted_of(circuit: Circuit, factoring: Factoring, goal: int) -> dict[int, tuple[int, ...]]:
    """Return the literals that `goal` requires, by subgame; empty if it requires more, or if moves act on several."""
    if factoring.kind == ACTIONS or factoring.gates:
        return {}
    owner = {literal >> 1: k for k, one in enumerate(factoring.subgames) for literal in signals(one)}
    found: dict[int, list[int]] = {}
    first = 1 + len(circuit.bases) + len(circuit.legal)
    for literal in sorted(conjuncts(circuit.left, circuit.right, first, [goal], stop=owner)):
        if literal >> 1 not in owner:
            return {}
        found.setdefault(owner[literal >> 1], []).append(literal)
    return {k: tuple(found[k]) for k in sorted(found)}
