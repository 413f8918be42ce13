"""Compile kernels before the first match, so that no match has to wait."""

from __future__ import annotations

from math import inf
from pathlib import Path

import numpy as np

import reasoner
from reasoner.compilation import BuildLimits
from reasoner.compilation.warm import SMALLEST
from reasoner.compilation.warm import warm_up_rest as warm_up_other_builds
from reasoner.kernels.cache import all_kept, note_all_kept
from reasoner.kernels.memory import address
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.machine import CircuitMachine
from search.belief.belief import Belief
from search.belief.state_set import Observation
from search.clock import MonotonicClock
from search.factoring import factor
from search.game import SearchedGame
from search.information.search import InformationSearch
from search.information.tree import grown, trees
from search.minimax.learner import Learner
from search.minimax.search import MinimaxSearch
from search.native import search as native
from search.native.forest import Forest
from search.native.numbering import Numbering
from search.native.proof import put_outcome
from search.native.search import NativeSearch
from search.native.transpositions import joint_edge_of, spread
from search.native.tree import Tree
from search.network import Network
from search.network.compiled_network import CompiledNetwork
from search.network.storage import Model
from search.options import SearchOptions
from search.puzzle.portfolio import SOLVERS
from search.puzzle.solver import PuzzleSolver
from search.puzzle.subgame_solver import SubgameSolver
from search.search import Search
from search.solver import Solver
from search.subgames.restricted_circuit import residual
from search.subgames.split_detector import Split

SEARCH_SECONDS = 1.0
"""Seconds of a `_Ticking` clock for a search of several roles; compilation takes no time on this clock."""
TICK_SECONDS = 1e-4
PUZZLE_BYTES, PUZZLE_TURNS = 1 << 20, 40
"""Memory and turns of each solver of a one-player game; all kernels are used in the first turns."""

ALONE = """
(role r) (init (lit p 0)) (init (lit q 0)) (init (step 0)) (side p) (side q) (key a) (key b)
(then 0 1) (then 1 2) (then 2 3) (then 3 4)
(after a 0 1) (after a 1 2) (after a 2 0) (after b 0 2) (after b 1 0) (after b 2 1)
(<= (legal r (press ?x ?y)) (key ?x) (key ?y))
(<= (pressed p ?x) (does r (press ?x ?y))) (<= (pressed q ?y) (does r (press ?x ?y)))
(<= (next (lit ?s ?n)) (pressed ?s ?k) (true (lit ?s ?m)) (after ?k ?m ?n))
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= won (true (lit p 1)) (true (lit q 2)))
(<= terminal won) (<= terminal (true (step 4)))
(<= (goal r 100) won) (<= (goal r 0) (not won))
"""
"""A game of one role. Each move turns two dials; the goal depends on both dials and on the number of steps."""

FILLED = """
(role r) (cell a) (cell b) (init (free a)) (init (free b)) (init (step 0)) (then 0 1) (then 1 2) (then 2 3)
(<= (legal r (fill ?x)) (true (free ?x)) (not (true (full b))))
(<= (next (full ?x)) (does r (fill ?x))) (<= (next (full ?x)) (true (full ?x)))
(<= (next (free ?x)) (true (free ?x)) (not (does r (fill ?x))))
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= full (true (full a)) (true (full b)))
(<= terminal full) (<= terminal (true (step 3)))
(<= (goal r 100) full) (<= (goal r 0) (not full))
"""
"""A game of one role, which fills cells in almost any order."""

AGAINST = """
(role r) (role s) (other r s) (other s r) (init (heap p 6)) (init (heap q 6)) (init (turn r)) (side p) (side q)
(less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?r (take ?s)) (true (turn ?r)) (true (heap ?s ?m)) (less ?m ?n))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (taken ?s) (does ?r (take ?s)))
(<= (next (heap ?s ?n)) (taken ?s) (true (heap ?s ?m)) (less ?m ?n))
(<= (next (heap ?s ?m)) (true (heap ?s ?m)) (not (taken ?s)))
(<= (next (turn ?t)) (true (turn ?r)) (other ?r ?t))
(<= (next (last ?r)) (does ?r (take p)))
(<= (next (last ?r)) (true (last ?r)) (not (taken p)))
(<= terminal (true (heap p 0)))
(<= (goal ?r 100) (true (last ?r))) (<= (goal ?r 0) (role ?r) (not (true (last ?r))))
"""
"""A game of two roles, which take in turn from two heaps; only one heap decides the game."""


FIRST = Path(native.__file__)
"""The source file under which the cache records that the kernels of `warm_up_first` are compiled."""
_elsewhere: list[int] = []
"""Process ids of the processes that compile the first kernels instead of this process."""


class _Ticking:
    """A clock that advances with each call, so that compilation between two calls takes no time."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return the time in seconds, and advance it."""
        self._now += TICK_SECONDS
        return self._now


def warm_up(emitter: str | None = None) -> None:
    """Compile every kernel of the reasoner and of the search, or load it from numba's cache.

    `emitter` names the code emitter that matches will use, as in `BuildLimits`. Raises ReasonerError if it is not
    available.
    """
    warm_up_first(emitter)
    warm_up_rest(emitter)


def warm_up_first(emitter: str | None = None) -> None:
    """Compile the kernels that most matches use: those for turn-taking games of several roles. See `warm_up`."""
    reasoner.warm_up(emitter, _search)
    _search(_circuit_machine(SMALLEST, emitter))
    note_all_kept(FIRST)


def warm_up_rest(emitter: str | None = None) -> None:
    """Compile the other kernels: for mixed and hidden moves, subgames, puzzles, and builds of other circuits."""
    machine = _circuit_machine(SMALLEST, emitter)
    _believe(machine)  # first, because matches with hidden information wait for it
    warm_up_other_builds()
    lane_graph(_circuit_machine(AGAINST, emitter).circuit)  # made when subgames are searched
    _ask(machine)
    _learn(_circuit_machine(AGAINST, emitter))
    _solve(_circuit_machine(AGAINST, emitter))
    for rules in (ALONE, FILLED, AGAINST):
        _think_about(_circuit_machine(rules, emitter))
    note_all_kept(Path(__file__))


def compiled_elsewhere(process: int) -> None:
    """Record, for this process and its later forks, that the process with id `process` compiles the first kernels."""
    _elsewhere.append(process)


def first_ready() -> bool:
    """Whether matches need not wait for the first kernels: no other process compiles them, or they are in the cache."""
    return not _elsewhere or all_kept(FIRST)


def rest_kept() -> bool:
    """Whether the kernels of `warm_up_rest` are in the cache, so that they only need loading."""
    return all_kept(Path(__file__))


def _circuit_machine(rules: str, emitter: str | None) -> CircuitMachine:
    machine = reasoner.load(rules, "circuit", BuildLimits(emitter=emitter))
    assert isinstance(machine, CircuitMachine)
    return machine


def _search(machine: CircuitMachine) -> None:
    """Search a game."""
    factor(machine.circuit)
    state = machine.initial()
    assert isinstance(state, bytes)
    residual(machine.circuit, state)  # used when subgames are looked for in a position
    search = NativeSearch(machine, 0, state, SearchOptions(simulations=1, memory_mib=8), MonotonicClock())
    search.think(inf)
    search._engine.make_room()
    empty, picks = Tree(1, 1, False, 1, 16, 8), np.zeros(1, np.int32)
    spread(empty.record)  # used when a tree grows
    joint_edge_of(empty.record, 1, address(picks))  # used when a joint move is reported
    put_outcome(empty.record, address(np.zeros(1)))  # used when a solver proves a position


def _ask(machine: CircuitMachine) -> None:
    """Compile the kernels that a search with a network calls, with a network of one unit."""
    circuit, numbering = machine.circuit, Numbering(SearchedGame(machine, 0), machine)
    one = np.zeros(1, np.float32)
    moves = tuple(map(tuple, circuit.moves))
    policy = tuple((np.zeros((len(own), 1), np.float32), np.zeros(len(own), np.float32)) for own in moves)
    value = np.zeros((1, len(circuit.roles)), np.float32), np.zeros(len(circuit.roles), np.float32)
    network = Network(circuit.roles, (), moves, np.zeros((0, 1), np.float32), one, (), value, policy)
    fitted = CompiledNetwork(Model(network, 1.0, 0.0), circuit, numbering.state_words, numbering.width)
    fitted.noted(np.zeros(numbering.width, np.uint64))
    forest, legal = Forest(machine, 0, 1, SearchOptions(simulations=1, memory_mib=8)), machine.legal(machine.initial())
    forest.put(np.zeros(1, np.int64), numbering.packed(machine.initial(), legal)[None], 1)
    forest.roots(forest.run(1))


def _learn(machine: CircuitMachine) -> None:
    """Learn an evaluation for the shortest time, and search by it."""
    learner = Learner(machine, 0.0, 0)
    learner.run(MonotonicClock(), inf, None)
    assert learner.lesson is not None
    options = SearchOptions(memory_mib=8, max_nodes=1_000)
    search = MinimaxSearch(machine, 0, machine.initial(), options, MonotonicClock(), learner.lesson.evaluation)
    search.make_room()


def _solve(machine: CircuitMachine) -> None:
    """Solve a game of two opposed roles."""
    solver = Solver(machine, memory_mib=1)
    solver.run(inf)
    solver.children(solver.root)


def _believe(machine: CircuitMachine) -> None:
    """Search a game as if it had imperfect information, after one joint move."""
    belief = Belief(machine, 0)
    belief.observe(Observation(machine.legal(machine.initial())[0][0], frozenset()))
    search = InformationSearch(belief, MonotonicClock())
    search.think(0.0)
    search.best()
    grown(trees())  # used after many games


def _puzzle(machine: CircuitMachine) -> None:
    """Search the best end of a one-player game by each solver, and by the one that solves single subgames."""
    state, packed = machine.circuit.initial[: machine.circuit.searched], machine.initial()
    assert isinstance(packed, bytes)
    part = residual(machine.circuit, packed)
    solvers: list[PuzzleSolver] = [kind(machine, state, PUZZLE_BYTES) for kind in SOLVERS]
    solvers.append(SubgameSolver(machine, Split(part, factor(part.circuit)), state, PUZZLE_BYTES))
    for solver in solvers:
        for _ in range(PUZZLE_TURNS):
            solver.turn(-1)
        solver.close()


def _think_about(machine: CircuitMachine) -> None:
    """Search a game of several roles as in a match, in its first two positions."""
    if len(machine.roles) == 1:
        _puzzle(machine)
    clock, state = _Ticking(), machine.initial()
    search = Search(machine, 0, state, SearchOptions(memory_mib=8, max_nodes=1_000, threads=1), clock)
    search.think(SEARCH_SECONDS)
    joint = tuple(moves[0] for moves in machine.legal(state))
    search.commit(joint[0])
    search.advance(joint, machine.next(state, joint))
    search.think(clock.now() + SEARCH_SECONDS)
    search.best()
    search.report()
