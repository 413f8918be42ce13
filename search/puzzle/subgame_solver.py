"""Solver that solves the subgames of a one-player game one after the other.

The best goal must be a conjunction of conditions on single subgames, and each move must act on one subgame. Each
subgame is then a puzzle with its own facts and move classes. It is over when its part of the goal is true, or when the
whole game is over in all states of the other subgames. The solvers of this folder solve each subgame, and the lines are
played one after the other. So the time grows only linearly with the number of subgames, and each subgame may need
another solver.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import TRUE
from reasoner.circuit.traversal import conjuncts
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.points import FULL
from search.factoring.factors import ACTIONS, Factoring
from search.factoring.gates import going
from search.puzzle.beam_solvers import Beam, GoalBeam, PatternBeam
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.horizon_solver import HorizonSolver
from search.puzzle.order_free_solver import OrderFreeSolver
from search.puzzle.solitary import solitary
from search.puzzle.solver import PuzzleSolver, Solution, turn_of
from search.subgames.restricted_circuit import packed
from search.subgames.split_detector import Split
from search.subgames.subgame_circuit import signals

FIRST_ROUNDS = 50
"""Turns that breadth-first search has alone in a subgame; they suffice for small subgames."""
STAGES: tuple[tuple[tuple[type[PuzzleSolver], ...], int | None], ...] = (
    ((OrderFreeSolver,), 1),
    ((BreadthFirst,), FIRST_ROUNDS),
    ((GoalBeam, PatternBeam, Beam, HorizonSolver), None),
)
"""Stages of solvers for a subgame, and the rounds of turns before the solvers of the next stage join."""
ALL_SOLVERS = sum(len(kinds) for kinds, _ in STAGES)
ALONE_SECONDS, LEAD_SECONDS = 3.0, 1.0
"""Seconds of `PuzzleSolver.alone` and `PuzzleSolver.leads`, for each subgame that is solved or in progress."""
MEMORY_SHARE = 2
"""Each solver within a subgame gets the whole memory divided by this."""


class SubgameSolver:
    """Solver of the subgames of `split` from a state of the whole game; see `PuzzleSolver`."""

    name = "apart"

    def __init__(self, whole: CircuitMachine, split: Split, state: Bools, memory: int) -> None:
        self._whole, self._split = whole, split
        self._left: CircuitMachine | None = None  # the remaining game, which `split` splits
        self._memory = memory
        self._found: Solution | None = None
        self._work: Iterator[None] | None = None
        self._solvers: list[PuzzleSolver] = []  # of the subgame in progress
        self._lines: dict[tuple[int, bytes], tuple[int, ...]] = {}  # by subgame and its state
        self._number = 1  # of the subgame in progress, from 1
        self.bound, self.progress = whole.points, "nothing tried yet"
        self._begin(state)

    @property
    def done(self) -> bool:
        """See `PuzzleSolver.done`."""
        return self._work is None

    @property
    def alone(self) -> float:
        """See `PuzzleSolver.alone`."""
        return ALONE_SECONDS * self._number

    @property
    def leads(self) -> float:
        """See `PuzzleSolver.leads`."""
        return LEAD_SECONDS * self._number

    @property
    def waiting(self) -> bool:
        """See `PuzzleSolver.waiting`."""
        return len(self._solvers) == ALL_SOLVERS and all(solver.waiting or solver.done for solver in self._solvers)

    def turn(self, beaten: int) -> Solution | None:  # noqa: ARG002 it looks only for the best value
        """See `PuzzleSolver.turn`."""
        self._found = None
        if self._work is not None and next(self._work, self) is self:
            self.close()
        return self._found

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 the state is enough
        """See `PuzzleSolver.advance`: lines found for unchanged subgames are reused."""
        self.close()
        self._begin(state)
        return True

    def close(self) -> None:
        """See `PuzzleSolver.close`."""
        self._work = None
        self._end_solvers()

    def _begin(self, state: Bools) -> None:
        whole = np.zeros(self._split.part.width, np.bool_)
        whole[: len(state)] = state
        self._state = whole[self._split.part.bases]
        self._work = self._working()

    def _working(self) -> Iterator[None]:
        circuit, factoring = self._split.part.circuit, self._split.factoring
        best = max(circuit.goals.tolist(), key=lambda goal: goal[1])
        targets = wanted_of(circuit, factoring, best[2])
        if not targets:
            self.progress = "the best goal is not a conjunction of subgame conditions"
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
                self.progress = f"subgame {number} of {len(targets)} is not solved"
                return
            self._lines[key] = line
            rows += [part.members[move] for move in line]
            self.progress = f"{number} of {len(targets)} subgames in {len(rows)} moves"
        self._left = self._left or self._machine_of(circuit)
        yield
        terms = first_legal(self._left, packed(self._state.tolist()), rows)
        if terms is None:
            self.progress = "the subgames' moves are not legal one after the other"
            return
        numbers = self._whole.circuit.moves[0]
        self._found = Solution(best[1], tuple(numbers.index(term) for term in terms))

    def _solved(self, circuit: Circuit) -> Generator[None, None, tuple[int, ...] | None]:
        """Return the moves that solve a subgame, as numbers in its circuit; None if no solver finds any."""
        if not len(circuit.legal):
            return () if circuit.terminal == TRUE else None
        machine = self._machine_of(circuit)
        yield
        state = circuit.initial[: circuit.searched]
        if machine.terminal(machine.initial()):
            return () if machine.goal(machine.initial())[0] == FULL else None
        line = yield from self._found_by(machine, state)
        self._end_solvers()
        return line

    def _machine_of(self, circuit: Circuit) -> CircuitMachine:
        return CircuitMachine(schedule(circuit, self._whole.emitter), self._whole.relational)

    def _found_by(self, machine: CircuitMachine, state: Bools) -> Generator[None, None, tuple[int, ...] | None]:
        """Return the moves that solve a subgame; cheap and reliable solvers run first, then all."""
        for kinds, rounds in STAGES:
            self._solvers += [kind(machine, state, self._memory // MEMORY_SHARE) for kind in kinds]
            line = yield from self._rounds(rounds)
            if line is not None:
                return line
        return None

    def _rounds(self, most: int | None) -> Generator[None, None, tuple[int, ...] | None]:
        """Run up to `most` rounds of turns, until a solver finds the best end or all solvers are done."""
        while any(not solver.done for solver in self._solvers) and most != 0:
            most = None if most is None else most - 1
            for solver in self._solvers:
                line = yield from _led(solver)
                if line is not None:
                    return line
        return None

    def _end_solvers(self) -> None:
        for solver in self._solvers:
            solver.close()
        self._solvers = []


def _led(solver: PuzzleSolver) -> Generator[None, None, tuple[int, ...] | None]:
    """Give a solver one turn or, if it leads, turns until it waits; return the moves to the best end, if found."""
    while True:
        found = turn_of(solver, 0)
        if found is not None and found.value == FULL:
            return found.moves
        yield
        if not solver.leads or solver.waiting or solver.done:
            return None


def first_legal(machine: CircuitMachine, state: State, rows: Sequence[Sequence[int]]) -> tuple[Term, ...] | None:
    """Play the first legal move of each row in order, and return these moves; None if a row has no legal move.

    rows: numbers of moves.
    """
    terms, line = machine.circuit.moves[0], list[Term]()
    for row in rows:
        legal = set(machine.legal(state)[0])
        move = next((terms[number] for number in row if terms[number] in legal), None)
        if move is None or machine.terminal(state):
            return None
        line.append(move)
        state = machine.next(state, (move,))
    return tuple(line)


def wanted_of(circuit: Circuit, factoring: Factoring, goal: int) -> dict[int, tuple[int, ...]]:
    """Return the literals that `goal` requires, by subgame.

    Empty if a required literal belongs to no single subgame, or if moves act on several subgames.
    """
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
