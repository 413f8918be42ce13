"""Solution of the positions of a match beside a tree search, in a small share of its time.

The table of positions lasts for the match. So the work on a position that is not solved in
its turn makes later positions cheaper.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import NamedTuple

from reasoner.kernels.cache import all_kept
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.errors import UnsolvableError
from search.native.engine import default_threads
from search.options import SearchOptions
from search.solver.kept_proofs import KeptProofs
from search.solver.solver import Solver

ROLES = 2
WARM = Path(__file__).parents[1] / "warm.py"
"""The source file under which the cache records that the kernels are compiled."""
MAX_SHARE, MIN_SHARE = 0.15, 0.05
"""The initial share of the time, and the minimum share after positions that were not solved."""
DECAY = 0.7
"""Factor on the share for each position that was not solved."""
TURN_SECONDS = 0.01
"""Seconds of one turn; where expansions are slow, a turn takes longer."""
MIN_SECONDS = 0.9
"""Minimum seconds left to the deadline when the solver is made."""
GROW_LEFT = 0.5
"""Seconds to the deadline that must be left for a larger table."""
TURNS_LEFT = 4
"""A turn starts only if this many turns, each as long as the longest, fit before the deadline."""
MAX_GATES = 50_000
"""Circuits with more gates are not solved: an expansion would take as long as a turn."""
SYMMETRY_WORK = 1_000_000
"""Limit of the search for symmetries, some 0.1 s. In some games a complete search takes seconds, and moves are late."""
MEMORY_SHARE = 1 / 8
"""Size of the table, as a share of the memory of the tree."""


class Proof(NamedTuple):
    """The value of a solved position in which the role chooses and can get more than its least goal."""

    moves: frozenset[Term]  # the moves that keep the value, as far as they are known; at least one
    goals: tuple[int, int]


class Prover:
    """A solver of the position of a match, which takes turns with the searches of `role`; `proof` is its result."""

    def __init__(self, machine: CircuitMachine, role: int, state: State, options: SearchOptions, clock: Clock) -> None:
        self._machine, self._role, self._state, self._clock = machine, role, state, clock
        self._memory_mib, self._seed = max(int(MEMORY_SHARE * options.memory_mib), 1), options.seed
        self._threads = options.threads or default_threads()
        self._solver: Solver | None = None
        self._proofs: KeptProofs | None = None
        fit = len(machine.roles) == ROLES and len(machine.circuit.left) <= MAX_GATES
        self._failed = not (options.solvers and fit and all_kept(WARM))
        self._share = MAX_SHARE
        self._left = inf  # seconds to the deadline when the next turn was asked for
        self._longest = TURN_SECONDS  # of the last turns, so that time without the processor counts only for a while
        self._begin()

    def _begin(self) -> None:
        self._own = self._others = 0.0  # seconds of the solver and of the searches in this position
        self._longest = max(self._longest / 2, TURN_SECONDS)
        self._entered = self._done = False
        self.proof: Proof | None = None

    @property
    def active(self) -> bool:
        """Whether the solver may still take turns in this position."""
        return not (self._failed or self._done)

    def use_proofs(self, proofs: KeptProofs) -> None:
        """Search again with what an earlier solver has proven in this game."""
        self._proofs, self._solver, self._entered = proofs, None, False

    def note(self, seconds: float) -> None:
        """Record the seconds that a search took."""
        self._others += seconds

    def due(self, deadline: float) -> bool:
        """Whether the next turn is the solver's."""
        self._left = left = deadline - self._clock.now()
        if not self.active or left < TURNS_LEFT * self._longest:
            return False
        if self._solver is None and not MIN_SECONDS <= left < inf:
            return False
        return self._own < self._share / (1 - self._share) * self._others

    def turn(self, stop: Callable[[], bool] | None) -> None:
        """Search for a short time."""
        began = self._clock.now()
        try:
            solver = self._solver_here()
            if self._left > GROW_LEFT:
                solver.make_room()
            made = self._clock.now()
            if solver.run(TURN_SECONDS, stop):
                self._done, self.proof = True, self._proof(solver)
            self._longest = max(self._longest, self._clock.now() - made)
        except (UnsolvableError, MemoryError):
            self._failed, self._solver = True, None
        self._own += self._clock.now() - began

    def enter(self, state: State) -> None:
        """Go to another position of the match."""
        if self._done:
            self._share = MAX_SHARE
        elif self._own:
            self._share = max(DECAY * self._share, MIN_SHARE)
        self._state = state
        self._begin()

    def _solver_here(self) -> Solver:
        """Return the solver with the position of the match."""
        if self._solver is None:
            self._solver = Solver(
                self._machine,
                self._state,
                memory_mib=self._memory_mib,
                threads=self._threads,
                seed=self._seed,
                symmetry_work=SYMMETRY_WORK,
                playouts=False,
                proofs=self._proofs,
                grows=False,
                clock=self._clock,
            )
        elif not self._entered:
            self._solver.enter(self._state)
        self._entered = True
        return self._solver

    def _proof(self, solver: Solver) -> Proof | None:
        goals = solver.goals(solver.low)
        chooser, children = solver.children(solver.root)
        least = solver.lowest if self._role == 0 else solver.goals(solver.highest)[1]
        if chooser != self._role or goals[self._role] == least:
            return None
        bounds = children.bounds[:, 0] >= solver.low if self._role == 0 else children.bounds[:, 1] <= solver.low
        moves = frozenset(map(self._machine.circuit.move, children.moves[bounds].tolist()))
        return Proof(moves, goals) if moves else None
