"""The state machine that runs a compiled circuit.

A state is the bases' values as packed bits. A state that the circuit cannot hold — a fact outside its domain, or a
constant of play contradicted, which no play reaches but a caller may ask for — is carried as the relational
machine's state and answered by it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit import kernels
from reasoner.circuit.circuit import Circuit
from reasoner.errors import IllegalMoveError
from reasoner.language.ground import ground_term
from reasoner.language.terms import Term
from reasoner.machine import Playouts, Sizes, State, Substitution
from reasoner.relational.machine import RelationalMachine

KEPT = 64
"""Evaluated states kept, so that all questions about one state share its evaluation."""


class CircuitMachine:
    """A game played by evaluating its circuit. See `reasoner.machine.Machine` for what each method answers."""

    engine = "circuit"

    def __init__(self, circuit: Circuit, relational: RelationalMachine) -> None:
        self.circuit = circuit
        self.relational = relational
        self.roles = relational.roles
        self._first_gate = 1 + len(circuit.bases) + len(circuit.legal)
        self._stages = np.array(circuit.stages, np.int32)
        self._of_role = np.cumsum([0, *map(len, circuit.moves)], dtype=np.int32)
        self._evaluated: OrderedDict[bytes, NDArray[np.uint8]] = OrderedDict()

    @property
    def sizes(self) -> Sizes:
        """Gates, bases and moves of the circuit."""
        return self.circuit.sizes

    def initial(self) -> State:
        """The initial state."""
        return self._packed(self.circuit.initial)

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` are true."""
        given = {ground_term(fact) for fact in facts}
        positions = self._position
        held = [fact for fact in given if fact in positions]
        if len(held) + len(self.circuit.always) != len(given) or not given.issuperset(self.circuit.always):
            return self.relational.state(given)
        bits = np.zeros(len(positions), np.bool_)
        bits[[positions[fact] for fact in held]] = True
        return self._packed(bits)

    def facts(self, state: State) -> frozenset[Term]:
        """What is true in `state`."""
        if not isinstance(state, bytes):
            return self.relational.facts(state)
        held = (self.circuit.bases[i] for i in np.flatnonzero(self._unpacked(state)).tolist())
        return frozenset((*held, *self.circuit.always))

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Per role, its legal moves, sorted by their text."""
        if not isinstance(state, bytes):
            return self.relational.legal(state)
        legal = self._literals(self._values(state), self.circuit.legal)
        return tuple(
            tuple(moves[i] for i in np.flatnonzero(legal[start : start + len(moves)]).tolist())
            for moves, start in zip(self.circuit.moves, self._of_role.tolist(), strict=False)
        )

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """The state after one move per role."""
        if not isinstance(state, bytes):
            return self.state(self.relational.facts(self.relational.next(state, joint)))
        circuit, values = self.circuit, self._values(state).copy()
        nodes = self._move_nodes(values, state, joint)
        values[nodes] = 1
        kernels.evaluate(values, circuit.left, circuit.right, self._first_gate, circuit.stages[1], circuit.stages[3])
        return self._packed(self._literals(values, circuit.next))

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""
        if not isinstance(state, bytes):
            return self.relational.terminal(state)
        return bool(kernels.value(self._values(state), self.circuit.terminal))

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Per role its goal value; None where the rules give none or several."""
        if not isinstance(state, bytes):
            return self.relational.goal(state)
        held = self._literals(self._values(state), self.circuit.goals[:, 2])
        values: list[set[int]] = [set() for _ in self.roles]
        for role, value, _ in self.circuit.goals[held].tolist():
            values[role].add(value)
        return tuple(found.pop() if len(found) == 1 else None for found in values)

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """The answers of a literal or conjunction in `state`, from the relational engine."""
        if isinstance(state, bytes):
            state = self.relational.state(self.facts(state))
        return self.relational.query(state, conjunction)

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """`count` games from `state`, every role playing uniformly at random."""
        if not isinstance(state, bytes):
            return self.relational.playouts(state, count, seed, max_steps)
        circuit = self.circuit
        goals = np.zeros((count, len(self.roles)), np.float32)
        lengths, finished = np.zeros(count, np.int32), np.zeros(count, np.bool_)
        random = np.array([seed % 2**64], np.uint64)
        kernels.play(
            self._unpacked(state),
            circuit.left,
            circuit.right,
            self._stages,
            circuit.legal,
            self._of_role,
            circuit.next,
            circuit.searched,
            circuit.terminal,
            circuit.goals,
            max_steps,
            random,
            goals,
            lengths,
            finished,
        )
        return Playouts(goals, lengths, finished)

    @cached_property
    def _position(self) -> dict[Term, int]:
        return {fact: i for i, fact in enumerate(self.circuit.bases)}

    @cached_property
    def _node_of_move(self) -> tuple[dict[Term, int], ...]:
        start = 1 + len(self.circuit.bases)
        return tuple(
            {move: start + first + i for i, move in enumerate(moves)}
            for moves, first in zip(self.circuit.moves, self._of_role.tolist(), strict=False)
        )

    def _move_nodes(self, values: NDArray[np.uint8], state: bytes, joint: Sequence[Term | str]) -> list[int]:
        """The nodes of the joint move. Raises IllegalMoveError unless it is legal in `state`."""
        moves = [ground_term(move) for move in joint]
        if len(moves) != len(self.roles):
            raise IllegalMoveError(f"{len(moves)} moves for {len(self.roles)} roles: give one move per role, in order")
        nodes = []
        offset = 1 + len(self.circuit.bases)
        for role, (move, known) in enumerate(zip(moves, self._node_of_move, strict=True)):
            node = known.get(move)
            if node is None or not kernels.value(values, int(self.circuit.legal[node - offset])):
                raise illegal_move(self.roles[role], move, self.legal(state)[role])
            nodes.append(node)
        return nodes

    def _values(self, state: bytes) -> NDArray[np.uint8]:
        """The values of all nodes that read bases only; the nodes of moves are 0."""
        values = self._evaluated.get(state)
        if values is None:
            circuit = self.circuit
            values = np.zeros(self._first_gate + len(circuit.left), np.uint8)
            values[1 : 1 + len(circuit.bases)] = self._unpacked(state)
            kernels.evaluate(values, circuit.left, circuit.right, self._first_gate, 0, circuit.stages[1])
            self._evaluated[state] = values
            if len(self._evaluated) > KEPT:
                self._evaluated.popitem(last=False)
        return values

    @staticmethod
    def _literals(values: NDArray[np.uint8], literals: NDArray[np.int32]) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = (values[literals >> 1] ^ (literals & 1)).astype(np.bool_)
        return held

    def _unpacked(self, state: bytes) -> NDArray[np.uint8]:
        return np.unpackbits(np.frombuffer(state, np.uint8), count=len(self.circuit.bases))

    @staticmethod
    def _packed(bits: NDArray[np.bool_]) -> bytes:
        return np.packbits(bits).tobytes()


def illegal_move(role: str, move: Term, legal: Sequence[Term]) -> IllegalMoveError:
    """What to say of a move that `role` does not have."""
    some = ", ".join(map(str, legal[:5])) + (", …" if len(legal) > 5 else "")
    return IllegalMoveError(f"{move} is no legal move of {role} here; legal: {some or 'none'}")
