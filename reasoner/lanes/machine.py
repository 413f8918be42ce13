"""State machine that runs a compiled circuit, 512 games at a time.

A state is the bases' values as packed bits. A caller may pass a state that no play reaches and that the circuit cannot
represent: it has a fact without a base, lacks a fact that is always true, or has two facts that exclude each other.
Such a state is a state of the relational machine, which then computes the results of all methods.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Bytes, Ints, Longs, Rows
from reasoner.errors import IllegalMoveError, StateError
from reasoner.lanes import play
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.feature_values import Builder, FeatureValues
from reasoner.lanes.program import LaneProgram
from reasoner.lanes.rows import LANES, aligned
from reasoner.language.parse import ground_term
from reasoner.language.terms import Term
from reasoner.machine import Playouts, Sizes, State, Substitution, check_count
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.keep_views import is_kept, kept_row
from reasoner.rules.percepts import Percepts, is_percept, percept, percepts_among

KEPT = 256
"""Number of evaluated states to cache, so that calls of several methods on a state share one evaluation."""

GOAL_BATCH_LANES = 64
"""Number of ended lanes from which goals are computed; measured, see research/circuits.md."""


@dataclass(frozen=True)
class _Position:
    """Evaluation of one state."""

    legal: Bools  # [moves]
    terminal: bool
    goals: tuple[int | None, ...]


class CircuitMachine:
    """State machine of a game's circuit. See `reasoner.machine.Machine` for each method.

    Several threads may use one machine; each has its own work memory.
    """

    engine = "circuit"
    lanes = LANES

    def __init__(
        self, program: LaneProgram, relational: RelationalMachine, count_builder: Builder | None = None
    ) -> None:
        self.circuit = circuit = program.circuit
        self.program = program
        self.relational = relational
        self.roles = relational.roles
        self.hides = relational.hides
        self._emitted = program.code.load()
        self._lanes = play.lanes(program, self._emitted)
        self._of_role = np.cumsum([0, *map(len, circuit.moves)]).tolist()
        self._positions: OrderedDict[bytes, _Position] = OrderedDict()
        self._memory = threading.local()
        self._feature_values = FeatureValues(relational, self._relational_state, count_builder)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a machine cannot be pickled or copied: send the rules, and load them again")

    @property
    def points(self) -> int:
        """The goal value that counts as 100%, computed from the rules before rewriting."""
        return self.relational.points

    @property
    def emitter(self) -> str:
        """The emitter of the running code, one of `reasoner.lanes.emitters.EMITTERS`."""
        return self._emitted.emitter

    @property
    def lanes_program(self) -> play.Lanes:
        """The tuple that kernels need to play this game in their own rows."""
        return self._lanes

    @property
    def rows(self) -> int:
        """The number of 64-byte rows that the code works on."""
        return self._emitted.rows

    @property
    def left_by_legal(self) -> Rows:
        """The rows that LEGAL leaves for the other sections."""
        return self._emitted.left

    @property
    def sizes(self) -> Sizes:
        """Gates, bases and moves of the circuit."""
        return self.circuit.sizes

    @property
    def decisive(self) -> bool:
        """Whether play should prefer winning moves, defences and captures."""
        return self.program.prefers

    def initial(self) -> State:
        """The initial state."""
        return self._packed(self.circuit.initial)

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` are true. Raises the errors of `RelationalMachine.state`."""
        given = {self.relational.possible.read(fact) for fact in facts}
        if self.circuit.kept:
            return self._completed(given)
        return self._held(given, given)

    def _completed(self, given: set[Term]) -> State:
        """The state with these facts, and with the rows of kept views, from the rules before rewriting."""
        state = self.relational.state(given)
        views = ((name, self.relational.relation((name, count), state)) for name, count in self.circuit.kept)
        return self._held(given, {*given, *(kept_row(name, row) for name, rows in views for row in rows)})

    def _held(self, given: set[Term], everything: set[Term]) -> State:
        """The state with the facts `given`: packed bits if the circuit can represent `everything`, else relational."""
        held = [fact for fact in everything if fact in self._number]
        always = self.circuit.always
        if len(held) + len(always) != len(everything) or not everything.issuperset(always):
            return self.relational.state(given)
        numbers = [self._number[fact] for fact in held]
        if self.circuit.broken(numbers) or self._excluded(set(numbers)):
            return self.relational.state(given)
        bits = np.zeros(len(self._number), np.bool_)
        bits[numbers] = True
        return self._packed(bits)

    def facts(self, state: State) -> frozenset[Term]:
        """The facts that are true in `state`."""
        if not isinstance(state, bytes):
            return self.relational.facts(state)
        true = (*self._true(state), *self.circuit.always)
        if not self.circuit.kept and not self.hides:
            return frozenset(true)
        return frozenset(fact for fact in true if not is_kept(fact) and not is_percept(fact))

    def percepts(self, state: State) -> Percepts:
        """The percepts of each role after the joint move that led to `state`."""
        if not isinstance(state, bytes):
            return self.relational.percepts(state)
        return percepts_among(self._true(state) if self.hides else (), self.circuit.roles)

    def bits(self, state: bytes) -> Bytes:
        """Return the bases' values in a state, as 0 or 1. Raises StateError if `state` has the wrong length."""
        self._check(state)
        return np.unpackbits(np.frombuffer(state, np.uint8), count=len(self.circuit.bases))

    def _check(self, state: State) -> None:
        size = -(-len(self.circuit.bases) // 8)
        if isinstance(state, bytes) and len(state) != size:
            raise StateError(
                f"this is not a state of this machine: it has {len(state)} bytes instead of {size}; copy the state of "
                "another machine with machine.state(other.facts(state))"
            )

    def _true(self, state: bytes) -> Iterator[Term]:
        """The bases that are true."""
        return (self.circuit.bases[i] for i in np.flatnonzero(self.bits(state)).tolist())

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Per role, its legal moves, sorted by their text."""
        if not isinstance(state, bytes):
            return self.relational.legal(state)
        legal = self._position(state).legal
        return tuple(
            tuple(moves[i] for i in np.flatnonzero(legal[start : start + len(moves)]).tolist())
            for moves, start in zip(self.circuit.moves, self._of_role, strict=False)
        )

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """The state after one move per role."""
        if not isinstance(state, bytes):
            return self.state(everything(self.relational, self.relational.next(state, joint)))
        moves = np.array(self._legal_moves(state, joint), np.int32)
        following = np.zeros(len(self.circuit.bases), np.uint8)
        play.apply_joint_move(self._values(), self._lanes, self.bits(state), moves, following)
        return self._packed(following)

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""
        if not isinstance(state, bytes):
            return self.relational.terminal(state)
        return self._position(state).terminal

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Per role its goal value; None where the rules give none or several."""
        if not isinstance(state, bytes):
            return self.relational.goal(state)
        return self._position(state).goals

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """The solutions of a literal or conjunction in `state`, from the relational engine."""
        return self.relational.query(self._relational_state(state), conjunction)

    def count(self, state: State, conjunction: str, counted: Sequence[str]) -> int:
        """The number of distinct solutions of a conjunction, projected on the variables `counted`."""
        return int(self.counts([state], [(conjunction, counted)])[0, 0])

    def counts(self, states: Sequence[State], features: Sequence[tuple[str, Sequence[str]]]) -> Longs:
        """`count` of every feature in every state, in lanes if that pays, else by the relational engine."""
        for state in states:
            self._check(state)
        return self._feature_values.values(states, features)

    def compile_counts(self, features: Sequence[tuple[str, Sequence[str]]]) -> CountProgram | None:
        """Compile features for `counts` now instead of after many calls of it; None if that is not possible."""
        return self._feature_values.compile(features)

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """`count` games from `state`, every role playing uniformly at random."""
        check_count(count)
        if not isinstance(state, bytes):
            return self.relational.playouts(state, count, seed, max_steps)
        goals = np.zeros((count, len(self.roles)), np.float32)
        lengths, finished = np.zeros(count, np.int32), np.zeros(count, np.bool_)
        start = self.bits(state)[: self.circuit.searched]
        values, (turned, picks) = self._values(), self._drawing()
        play.seed_generators(values, self._lanes.random, seed)
        play.play(values, self._lanes, turned, picks, start, max_steps, GOAL_BATCH_LANES, goals, lengths, finished)
        return Playouts(goals, lengths, finished)

    def _relational_state(self, state: State) -> State:
        return self.relational.state(self.facts(state)) if isinstance(state, bytes) else state

    def _excluded(self, numbers: set[int]) -> bool:
        """Whether two of the bases exclude each other, so that the choice of moves is undefined in the state."""
        return any(a in numbers and b in numbers for a, b in self.program.exclusive.tolist())

    @cached_property
    def _number(self) -> dict[Term, int]:
        return {fact: i for i, fact in enumerate(self.circuit.bases)}

    def _legal_moves(self, state: bytes, joint: Sequence[Term | str]) -> list[int]:
        """The numbers of the joint move's moves. Raises IllegalMoveError unless all are legal in `state`."""
        moves = [ground_term(move) for move in joint]
        if len(moves) != len(self.roles):
            raise IllegalMoveError(f"{len(moves)} moves for {len(self.roles)} roles: give one move per role, in order")
        legal = self._position(state).legal
        numbers = []
        for role, (move, own) in enumerate(zip(moves, self.circuit.moves, strict=True)):
            found = own.find(move)
            if found is None or not legal[self._of_role[role] + found]:
                raise illegal_move(self.roles[role], move, self.legal(state)[role])
            numbers.append(self._of_role[role] + found)
        return numbers

    def _position(self, state: bytes) -> _Position:
        position = self._positions.get(state)
        if position is None:
            position = self._positions[state] = self._evaluated(state)
            if len(self._positions) > KEPT:
                self._positions.popitem(last=False)
        return position

    def _evaluated(self, state: bytes) -> _Position:
        circuit = self.circuit
        legal, goals = np.zeros(len(circuit.legal), np.uint8), np.zeros(len(circuit.goals), np.uint8)
        terminal = play.evaluate_state(self._values(), self._lanes, self.bits(state), legal, goals)
        held: list[set[int]] = [set() for _ in self.roles]
        for role, value, _ in circuit.goals[goals.astype(np.bool_)].tolist():
            held[role].add(value)
        values = tuple(found.pop() if len(found) == 1 else None for found in held)
        return _Position(legal.astype(np.bool_), bool(terminal), values)

    def _values(self) -> NDArray[np.uint64]:
        """The rows of the calling thread."""
        values: NDArray[np.uint64] | None = getattr(self._memory, "values", None)
        if values is None:
            values = self._memory.values = aligned(self._emitted.rows)
        return values

    def _drawing(self) -> tuple[NDArray[np.uint64], Ints]:
        """The calling thread's memory for drawing among many moves."""
        drawing: tuple[NDArray[np.uint64], Ints] | None = getattr(self._memory, "drawing", None)
        if drawing is None:
            drawing = self._memory.drawing = play.scratch(self.program.drawn)
        return drawing

    @staticmethod
    def _packed(bits: Bools | Bytes) -> bytes:
        return np.packbits(bits).tobytes()


def everything(machine: RelationalMachine, state: State) -> Iterator[Term]:
    """The facts of a state, including hidden percepts; `machine.state` builds the same state from them."""
    yield from machine.facts(state)
    for role, seen in zip(machine.program.roles, machine.percepts(state), strict=True):
        yield from (percept(role, what) for what in seen)


def illegal_move(role: str, move: Term, legal: Sequence[Term]) -> IllegalMoveError:
    """The error for a move that is not one of the legal moves of `role`."""
    some = ", ".join(map(str, legal[:5])) + (", …" if len(legal) > 5 else "")
    return IllegalMoveError(f"{move} is not a legal move of {role} here; legal: {some or 'none'}")
