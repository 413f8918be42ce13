"""A game of one role whose subgames must each come to an end of their own, solved one subgame after the other.

Where the best goal is a conjunction of what single subgames show, and each move acts on one of them, every subgame is a
puzzle by itself: its own facts and classes of moves, over when it shows what is wanted, or when the whole is over
whatever the others show. Each is solved by the ways of this room, and the lines are played one after the other. So N
puzzles take N times as long as one, and each may be of another kind.
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
from search.puzzle.order_free_solver import Together
from search.puzzle.pattern_beam import PatternBeam
from search.subgames.plan.errors import ContradictionError
from search.subgames.plan.plan_check import played
from search.subgames.plan.projection import solitary
from search.subgames.restricted_circuit import packed
from search.subgames.split_detector import Split
from search.subgames.subgame_circuit import signals

FIRST_ROUNDS = 50
"""Turns that a subgame's breadth-first search has alone: what is small is solved in them, and most ways not begun."""
STAGES: tuple[tuple[tuple[type[Method], ...], int | None], ...] = (
    ((Together,), 1),
    ((BreadthFirst,), FIRST_ROUNDS),
    ((GoalBeam, PatternBeam, Beam, Horizons), None),
)
"""Ways for a subgame, and how many rounds of turns they have before the next join them."""
EVERY = sum(len(kinds) for kinds, _ in STAGES)
SECONDS, LEADS = 3.0, 1.0
"""Of `Method.alone` and `Method.leads`, for each subgame that was solved or is under way."""
SHARE = 2
"""Each way within a subgame takes this part of the memory that all have."""


class Apart:
    """The subgames of `split` from a state of the whole; see `Method`. `left` is what the split is of."""

    name = "apart"

    def __init__(self, whole: CircuitMachine, left: CircuitMachine, split: Split, state: Bools, memory: int) -> None:
        self._whole, self._left, self._split = whole, left, split
        self._memory = memory
        self._found: Found | None = None
        self._work: Iterator[None] | None = None
        self._ways: list[Method] = []  # of the subgame under way
        self._lines: dict[tuple[int, bytes], tuple[int, ...]] = {}  # by subgame and state of it
        self._number = 1  # of the subgame under way
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

    def turn(self, beaten: int) -> Found | None:  # noqa: ARG002 it asks for the best alone
        """See `Method.turn`."""
        self._found = None
        try:
            if self._work is not None and next(self._work, self) is self:
                self.close()
        except ContradictionError as error:
            self.told = str(error)
            self.close()
        return self._found

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 the state says all
        """See `Method.advance`: subgames that were solved from where they are need not be solved again."""
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
            self.told = "the best goal is no conjunction of subgames"
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
        """The moves that solve a subgame, numbers in its circuit; None where no way finds any."""
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
        """The moves that solve a subgame, by the ways that are cheap and sure at first, then by all."""
        for kinds, rounds in STAGES:
            self._ways += [kind(machine, state, self._memory // SHARE) for kind in kinds]
            line = yield from self._rounds(rounds)
            if line is not None:
                return line
        return None

    def _rounds(self, most: int | None) -> Generator[None, None, tuple[int, ...] | None]:
        """Let the ways take turns until one has the best end, all are done, or each had so many turns."""
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
    """A turn of a way, and as many as it takes until it waits where it leads; the moves to the best end, if found."""
    while True:
        found = _turn(way)
        if found is not None and found.value == FULL:
            return found.moves
        yield
        if not way.leads or way.waiting or way.done:
            return None


def _turn(way: Method) -> Found | None:
    """A turn of a way; one that needs more than there is ends."""
    try:
        return None if way.done else way.turn(0)
    except (MemoryError, LimitError, TooLargeError):
        way.close()
        return None


def wanted_of(circuit: Circuit, factoring: Factoring, goal: int) -> dict[int, tuple[int, ...]]:
    """By subgame the literals that hold where `goal` does; none where it says more, or moves act on several."""
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
