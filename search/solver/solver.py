"""Solver of a position where roles take turns: the score of two opposed roles, or what one role can force."""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import copy
from math import inf
from pathlib import Path as File
from threading import Event
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.identity.identify import SEARCH_WORK
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES
from reasoner.language.parse import read_term
from reasoner.machine import Machine, State
from reasoner.rules.chance import is_chance
from search.clock import Clock, MonotonicClock
from search.errors import SimultaneousError, UnopposedError, UnsolvableError
from search.native.tree import pack, words_for
from search.solver.expansion import (
    CROWDED,
    JOINT,
    MAX_SCORE,
    OVER,
    UNOPPOSED,
    Children,
    Rules,
    children_of,
    part_of,
)
from search.solver.growing_table import GrowingTable
from search.solver.hashes import fact_words, identity_of_table, zobrist_words
from search.solver.kept_proofs import KeptProofs, longest
from search.solver.proof_numbers import DEEP, MAX_DEPTH, UNDECIDED, children_at, enter
from search.solver.proof_table import BUCKET, place_proofs, table_in
from search.solver.solver_thread import SolverThread, methods_of, run_all

GROW_SECONDS = 0.02
"""Seconds between two looks whether the table is crowded."""
HORIZON = MAX_SCORE
"""More joint moves than the longest distance to a win that a solver can find."""
NO_SALT, SALTS = np.uint64(0), np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
"""Constants in the hashes of scores, and of distances to the win of each role, which are in the same table."""
LONG = 1 << 40
"""Number of expansions that no search reaches; the table keeps what needed so many."""

REASONS = {
    JOINT: "several roles choose at the same time: the solver needs roles that take turns",
    CROWDED: "a position has more than 512 moves",
    UNOPPOSED: "the goals of two final positions have different sums: the solver needs two opposed roles",
    DEEP: f"some game has more than {MAX_DEPTH} moves, or positions repeat",
}


class Numbers(NamedTuple):
    """What is known of a position for one threshold: the bounds of the score, the proof and the disproof number."""

    low: int
    high: int
    proof: int
    disproof: int


class Position(NamedTuple):
    """A position as the kernels need it; W words, S symmetries."""

    words: Words  # [W] the values of the searched bases, lowest bit first
    hashes: Words  # [S]


class Solver:
    """Search for the exact score of a position; the memory keeps what is proven from call to call.

    state:      the position; by default the initial state.
    role:       None: two opposed roles, and the score is the goal of the first. An index of a role: the score is the
                goal that this role can force against all others together, chance included.
    memory_mib: maximum size of the table of positions.
    grows:      whether the table grows in a search; else only `make_room` lets it grow, which may take 0.1 s.
    threads:    the number of threads that search together.
    file:       a file for the table, so that a later solver of the same game continues after this process.
    symmetry_work: limit of the search for symmetries (`reasoner.identity.symmetries`), which may take seconds.
    playouts:   whether playouts order the first moves (`playout_order`); useless in searches of less than a second.
    proofs:     what an earlier solver has proven in the same game; not with `role` or `file`.

    Raises UnsolvableError if the machine has no circuit or hides information, and its subclasses: UnopposedError if
    there are not two opposed roles without chance, SimultaneousError if roles move at the same time. `run` raises them,
    too, as some of these properties only show during the search. Raises StorageError if `file` is not a table of this
    game, and OSError.
    """

    def __init__(
        self,
        machine: Machine,
        state: State | None = None,
        *,
        role: int | None = None,
        memory_mib: int = 512,
        threads: int = 1,
        seed: int = 0,
        file: File | None = None,
        symmetry_work: int = SEARCH_WORK,
        playouts: bool = True,
        proofs: KeptProofs | None = None,
        grows: bool = True,
        clock: Clock | None = None,
    ) -> None:
        state = machine.initial() if state is None else state
        self.machine = machine = _suitable(machine, state, role)
        assert isinstance(state, bytes)
        memory_mib, threads = operator.index(memory_mib), operator.index(threads)
        if memory_mib < 1 or threads < 1:
            raise ValueError(f"memory_mib={memory_mib}, threads={threads}: both must be at least 1")
        self._clock = clock or MonotonicClock()
        self._words = fact_words(machine, seed, proofs)
        self._rules, self._scores = _rules(machine, role, zobrist_words(machine, self._words, symmetry_work))
        self.opposed, self.first, self.hurries = role is None, role or 0, False
        if file is None:
            self._table = GrowingTable.new(memory_mib, 0 if proofs is None else BUCKET * len(proofs.hashes))
        else:
            words = table_in(file, memory_mib, identity_of_table(machine, role, seed))
            self._table = GrowingTable(words, len(words))
        self._grows = grows
        if proofs is not None and role is None and file is None:
            place_proofs(self._table.words, *proofs.scores_of(machine.roles[0], self._scores, self._rules.total))
        self._width, self._seed, self._salt = words_for(machine.circuit.searched), seed, NO_SALT
        self._playouts = playouts
        self._prepare(threads, state)

    def _prepare(self, threads: int, state: State) -> None:
        """Allocate the memory of the threads, and enter a state."""
        self._threads = [
            SolverThread(
                self.machine,
                self._rules,
                self._width,
                self._seed + i,
                methods_of(i, threads),
                shared=threads > 2,  # of two threads, one searches by proof numbers
                playouts=self._playouts,
            )
            for i in range(threads)
        ]
        self.lowest, self.highest = self._scores[0], self._scores[-1]
        self.elsewhere = 0
        """The number of positions that other solvers expanded for the result; their proofs are not in the table."""
        self.enter(state)

    def enter(self, state: State) -> None:
        """Make another state the position to solve; what is proven stays in memory.

        Raises UnopposedError if the game is over in this state and the goals are not opposed.
        """
        self.state, self.root = state, self.position(state)
        self.low, self.high = self.lowest, self.highest
        self.proof, self.disproof = 1, 1
        if self.machine.terminal(state) or not all(self.machine.legal(state)):
            goals = [goal or 0 for goal in self.machine.goal(state)]
            if self._rules.total >= 0 and sum(goals) != self._rules.total:
                raise UnopposedError(REASONS[UNOPPOSED])
            goal = goals[self.first]
            self.low = self.high = HORIZON * (goal == self.highest_goal) if self.hurries else goal

    @property
    def solved(self) -> bool:
        """Whether the score is known exactly."""
        return self.low == self.high

    @property
    def winner(self) -> int | None:
        """The opposed role that gets its highest goal, and more than the other, in the solved position; None: none.

        The highest goal is that of the circuit, which may contain goals that no end of play gives.
        """
        if not (self.opposed and self.solved and self.lowest < self.highest):
            return None
        doubled, total = 2 * self.low, self._rules.total
        if self.low == self.highest and doubled > total:
            return 0
        return 1 if self.low == self.lowest and doubled < total else None

    def hurrying(self) -> Solver:
        """Return a solver of the distance to the win of `winner`, see `distance`. It uses the same table."""
        assert self.winner is not None, "the distance to the win of no role"
        found = copy(self)
        found.first, found.opposed, found.hurries, found._salt = self.winner, False, True, SALTS[self.winner]
        found._rules, found._scores = _hurried(self._rules, self.winner), [*range(HORIZON + 1)]
        found._prepare(len(self._threads), self.state)
        return found

    @property
    def distance(self) -> tuple[int, int]:
        """The least and the most joint moves in which a hurrying role forces its highest goal if the other delays it.

        The most is more than HORIZON if no way to win within HORIZON joint moves is known.
        """
        return HORIZON - self.high, HORIZON - self.low if self.low else HORIZON + 1

    @property
    def highest_goal(self) -> int:
        """The highest goal of the first role."""
        return self._rules.highest

    @property
    def expansions(self) -> int:
        """The number of positions expanded so far."""
        return self.elsewhere + sum(thread.expansions for thread in self._threads)

    def goals(self, score: int) -> tuple[int, int]:
        """Return the goals of two opposed roles for a score of the first role."""
        return score, self._rules.total - score

    def run(self, seconds: float, stop: Callable[[], bool] | None = None) -> bool:
        """Search for at most `seconds`; return whether the score is known. A later call continues.

        stop: called many times a second; the search returns when it returns true.
        """
        end = self._clock.now() + seconds
        while not self.solved:
            self.narrow(Numbers(*self._decide(self.root, self.trying, end, stop).tolist()))
            if self._clock.now() >= end or (stop is not None and stop()):
                break
        return self.solved

    def narrow(self, numbers: Numbers) -> None:
        """Use a result for the position to solve."""
        self.low = max(self.low, min(score for score in self._scores if score >= numbers.low))
        self.high = min(self.high, max(score for score in self._scores if score <= numbers.high))
        self.proof, self.disproof = numbers.proof, numbers.disproof

    @property
    def trying(self) -> int:
        """The score that the next search tries to prove: the middle of the possible scores, or the known score."""
        open_ = [score for score in self._scores if self.low < score <= self.high]
        return open_[len(open_) // 2] if open_ else self.low

    def reaches(self, position: Position, threshold: int, seconds: float = inf) -> bool | None:
        """Return whether the first role can reach `threshold` in a position; None: unknown after `seconds`."""
        low, high = self._decide(position, threshold, self._clock.now() + seconds, None)[:2]
        return True if low >= threshold else False if high < threshold else None

    def examine(self, state: State, threshold: int, seconds: float) -> tuple[Numbers, dict[str, Numbers]]:
        """Search a state for at most `seconds`; return its numbers, and those after each move of the role that chooses.

        The moves are given by their texts.
        """
        position = self.position(state)
        numbers = Numbers(*self._decide(position, threshold, self._clock.now() + seconds, None).tolist())
        for thread in self._threads:
            thread.leave(self._table.words, threshold)
        return numbers, self.numbered_children(state, threshold)[1]

    def kept_proofs(self) -> KeptProofs:
        """Return the proven positions of two opposed roles whose search was longest; takes seconds for large tables."""
        assert self.opposed, "proofs of what one role can force"
        circuit = self.machine.circuit
        facts = tuple(circuit.bases)[: circuit.searched]
        return KeptProofs(
            read_term(self.machine.roles[0]), facts, self._words, *longest(self._table.words, self.lowest, self.highest)
        )

    def numbered_children(self, state: State, threshold: int) -> tuple[int, dict[str, Numbers]]:
        """Return the role that chooses in a state, and the known numbers after each of its moves, by their texts."""
        chooser, children, numbers = self._children(self.position(state), threshold)
        rows = zip(children.bounds.tolist(), numbers.tolist(), strict=True)
        every = [Numbers(*bounds, *pair) for bounds, pair in rows]
        if len(every) == 1:
            return chooser, {"": every[0]}
        return chooser, dict(zip(map(self.move, children.moves.tolist()), every, strict=True))

    def enter_numbers(self, state: State, numbers: Numbers, threshold: int) -> None:
        """Store the numbers of a state, as if their search had been long."""
        enter(self._table.words, self.position(state).hashes, np.array(numbers), threshold, LONG)

    def move(self, number: int) -> str:
        """Return the text of the move with this number."""
        return str(self.machine.circuit.move(number))

    def position(self, state: State) -> Position:
        """Return the position of a state of the machine."""
        assert isinstance(state, bytes)
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=self.machine.circuit.searched)
        hashes: Words = np.bitwise_xor.reduce(self._rules.zobrist[bits.astype(np.bool_)], axis=0)
        return Position(pack(bits), hashes ^ self._salt)

    def children(self, position: Position) -> tuple[int, Children]:
        """Return the role that chooses in a position, or OVER, and its children with the bounds that are known."""
        return self._children(position, self.highest)[:2]

    def _children(self, position: Position, threshold: int) -> tuple[int, Children, Longs]:
        """Return the same as `children`, and the numbers of the children for a threshold."""
        found, own = children_of(LANES, self._width, self._rules.zobrist.shape[1]), self._threads[0]
        program, numbers = self.machine.lanes_program, np.zeros((LANES, 2), np.int64)
        chooser, count = children_at(
            program, self._rules, own.work, self._table.words, *position, threshold, numbers, found
        )
        if chooser != OVER and chooser < 0:
            raise _error(chooser)
        return chooser, part_of(found, count), numbers[:count]

    def _decide(self, position: Position, threshold: int, end: float, stop: Callable[[], bool] | None) -> Ints:
        """Search whether the score reaches a threshold, until `end`; return bounds, proof and disproof number."""
        for thread in self._threads:
            thread.begin((position.hashes.tobytes(), threshold))
        while True:
            grows = self._grows and self._table.grows
            ended = self._search(position, threshold, end, self._clock.now() + GROW_SECONDS if grows else end, stop)
            if grows:
                self._table.make_room()
            if ended:
                return min(self._threads, key=lambda thread: thread.code).result

    def make_room(self) -> None:
        """Let the table grow if it is crowded."""
        self._table.make_room()

    def _search(
        self, position: Position, threshold: int, end: float, until: float, stop: Callable[[], bool] | None
    ) -> bool:
        """Search until `until`; return whether the score is decided, `end` is reached, or `stop` returned true."""
        done, ended = Event(), Event()
        gap = threshold - max((score for score in self._scores if score < threshold), default=threshold - 1)

        def work(thread: SolverThread) -> None:
            while not done.is_set():
                began = self._clock.now()
                thread.search(self._table.words, *position, threshold, gap)
                thread.adapt((now := self._clock.now()) - began)
                if thread.code != UNDECIDED or now >= end or (stop is not None and stop()):
                    ended.set()
                if ended.is_set() or now >= until:
                    done.set()

        run_all(work, self._threads, done)
        failed = [thread.code for thread in self._threads if thread.code < 0]
        if failed:
            raise _error(failed[0])
        return ended.is_set()


def _error(code: int) -> UnsolvableError:
    """Return the error for a negative result of a kernel."""
    return {UNOPPOSED: UnopposedError, JOINT: SimultaneousError}.get(code, UnsolvableError)(REASONS[code])


def circuit_of(machine: Machine, state: State) -> CircuitMachine:
    """Return the machine. Raises UnsolvableError if it has no circuit for the position, or hides information."""
    if not isinstance(machine, CircuitMachine):
        raise UnsolvableError("the solver needs a circuit, and this game has none")
    if not isinstance(state, bytes):
        raise UnsolvableError("the circuit cannot represent this position: play never reaches it")
    if machine.hides:
        raise UnsolvableError("this game hides information from its players, so positions have no exact value")
    return machine


def _suitable(machine: Machine, state: State, role: int | None) -> CircuitMachine:
    """Return the machine. Raises UnsolvableError if the solver cannot begin."""
    found = circuit_of(machine, state)
    if role is None and len(machine.roles) != 2:
        raise UnopposedError(f"the solver needs 2 roles; this game has {len(machine.roles)}")
    if role is None and any(map(is_chance, machine.roles)):
        raise UnopposedError("chance takes part in this game: the solver needs two players and no chance")
    return found


def _rules(machine: CircuitMachine, role: int | None, zobrist: Words) -> tuple[Rules, list[int]]:
    """Return what the kernels need of a game, and the possible scores of the first role."""
    circuit, first = machine.circuit, role or 0
    every = [
        sorted({value for own, value, _ in circuit.goals.tolist() if own == each}) for each in range(len(machine.roles))
    ]
    scores = every[first] if role is None else sorted({0, *every[first]})
    needed = every if role is None else [every[first]]
    if not all(needed) or scores[-1] > MAX_SCORE or scores[0] < 0:
        raise UnsolvableError(f"the solver needs goals from 0 to {MAX_SCORE} for every player")
    total = -1
    if role is None:
        total = scores[-1] + every[1][0]
        if total != scores[0] + every[1][-1]:
            raise UnopposedError(REASONS[UNOPPOSED])
    starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
    return Rules(starts, first, total, scores[0], scores[-1], 0, zobrist), scores


def _hurried(rules: Rules, winner: int) -> Rules:
    """Return the rules for the distance to the win of a role, from those for the score of role 0."""
    lowest, highest = rules.lowest, rules.highest
    if winner:
        lowest, highest = rules.total - highest, rules.total - lowest
    return rules._replace(first=winner, lowest=lowest, highest=highest, horizon=HORIZON)
