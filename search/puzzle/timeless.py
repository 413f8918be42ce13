"""Games in which order hardly matters, as one question without time: which moves are made, and which is the last.

Where each cell is only ever set, or only ever cleared, the state after some moves depends on which they are and, of the
clock, on how many. Wanted is a set of moves, each legal when all others of it were made before, after which the game is
not over; then one move more, after which it is, with the value wanted. That is enough where what is legal only shrinks;
where more is needed, or the game would end on the way, an order of the moves is looked for in play (`order`). So an
answer is a plan when it has been played, and no answer proves nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.graph import FALSE, TRUE, Graph, Literals
from reasoner.circuit.restrict import copy, read
from reasoner.circuit.visit import mark
from reasoner.sat.solver import Solver
from search.factoring.effects import again
from search.puzzle.effects import Effects
from search.puzzle.formula import Formula

Bools = NDArray[np.bool_]

MOST_GATES = 4_000_000


class Timeless:
    """The question from a state; `begin` gives None where the game is of another kind."""

    def __init__(self, effects: Effects, usable: list[int], state: Bools, settings: list[Bools]) -> None:
        self._effects, self._usable = effects, usable
        self._state, self._settings = state, settings
        circuit = effects.circuit
        self._moves = len(circuit.legal)
        self._graph = Graph(2 * self._moves + 2 * len(settings), MOST_GATES)

    def tell(self, solver: Solver) -> list[tuple[int, int]]:
        """Tell all to the process; the values, 0..100, that may be had, best first, each with its literal."""
        effects, graph = self._effects, self._graph
        circuit = effects.circuit
        self.formula = Formula(graph, solver)
        lengths = self._lengths()
        facts = self._facts(lengths)
        node = np.zeros(effects.graph.first_gate + len(effects.graph), np.int32)
        node[1 : 1 + len(facts)] = facts
        copied(graph, effects.graph, node)
        over = int(read(node, np.array([effects.terminal], np.int32))[0])
        self.formula.require([[over ^ 1]])
        self.formula.require([self.made(m) ^ 1, legal] for m, legal in self._legal_last(node, facts))
        never = [[self.made(m) ^ 1] for m in set(range(self._moves)) - set(self._usable)]
        self.formula.require(never)
        last = [self.last(m) for m in range(self._moves)]
        self.formula.one_of(last)
        self.formula.require([y ^ 1, legal] for y, legal in zip(last, read(node, effects.legal).tolist(), strict=True))
        return self._targets(facts, circuit.goals)

    def made(self, move: int) -> int:
        """The literal of a move of the set."""
        return 2 * (1 + move)

    def last(self, move: int) -> int:
        """The literal of a move as the last."""
        return 2 * (1 + self._moves + move)

    def _lengths(self) -> list[int]:
        """Literals that say how many moves the set has, one a setting of the clock; none where there is no clock."""
        count = len(self._settings)
        if count < 2:
            return [TRUE] * count
        first = 2 * (1 + 2 * self._moves)
        made = [self.made(m) for m in self._usable]
        least = [TRUE, *(first + 2 * k for k in range(1, count)), FALSE]
        for k in range(1, count):
            self.formula.count(least[k], k, made)
        self.formula.solver.at_least(0, count, [each >> 1 for each in made])
        return [self._graph.and_(least[k], least[k + 1] ^ 1) for k in range(count)]

    def _facts(self, lengths: list[int], without: int = -1) -> Literals:
        """The searched bases after the moves of the set."""
        effects, graph = self._effects, self._graph
        found = np.where(self._state, TRUE, FALSE).astype(np.int32)
        for base in np.flatnonzero(effects.cells).tolist():
            found[base] = self._fact(base, without)
        for base in np.flatnonzero(~effects.cells).tolist():
            found[base] = graph.any(
                length for length, setting in zip(lengths, self._settings, strict=True) if setting[base]
            )
        return found

    def _fact(self, base: int, without: int) -> int:
        """A cell after the moves of the set, but one."""
        column, held = self._effects.following[:, base], bool(self._state[base])
        changing = [m for m in self._usable if column[m] == (FALSE if held else TRUE) and m != without]
        return self._graph.any(self.made(m) for m in changing) ^ int(held)

    def _legal_last(self, node: Literals, facts: Literals) -> list[tuple[int, int]]:
        """Whether each usable move is legal when all others of the set were made."""
        effects, graph = self._effects, self._graph
        table, found = effects.graph, []
        for move in self._usable:
            row, bases = effects.following[move], np.flatnonzero(effects.cells)
            own = bases[row[bases] != 2 * (1 + bases)]
            inputs = node[: table.first_gate].copy()
            for base in own.tolist():
                inputs[1 + base] = self._fact(base, move)
            seen = np.zeros(len(node), np.bool_)
            mark(table.left, table.right, table.first_gate, effects.legal[move : move + 1], seen)
            cone = np.flatnonzero(seen[table.first_gate :]).astype(np.int32) + np.int32(table.first_gate)
            own_node = node.copy()
            own_node[: table.first_gate] = inputs
            again(graph.reserve(len(cone)), table.left, table.right, table.first_gate, own_node, cone)
            found.append((move, int(read(own_node, effects.legal[move : move + 1])[0])))
        graph.reserve(0)
        return found

    def _targets(self, facts: Literals, goals: NDArray[np.int32]) -> list[tuple[int, int]]:
        """The values that the last move may end the game with, best first, and when it does."""
        circuit, graph = self._effects.circuit, self._graph
        bases, first = len(circuit.bases), 1 + len(circuit.bases) + self._moves
        node = np.zeros(first + len(circuit.left), np.int32)
        node[1 : 1 + len(facts)] = facts
        node[1 + bases : first] = [self.last(m) for m in range(self._moves)]
        gates = len(circuit.left)
        copy(graph.reserve(gates), circuit.left, circuit.right, first, node)
        after = read(node, circuit.next[: circuit.searched])
        node[1 : 1 + len(after)] = after
        copy(graph.reserve(gates), circuit.left, circuit.right, first, node)
        graph.reserve(0)
        over = int(read(node, np.array([circuit.terminal], np.int32))[0])
        ends: dict[int, list[int]] = {}
        for (_, value, _), literal in zip(goals.tolist(), read(node, goals[:, 2]).tolist(), strict=True):
            ends.setdefault(value, []).append(graph.and_(over, literal))
        joined = [(value, graph.any(literals)) for value, literals in sorted(ends.items(), reverse=True)]
        return [each for each in joined if each[1] != FALSE]


def begin(effects: Effects, state: Bools) -> Timeless | None:
    """The question from a state of the searched bases, None where order matters.  # state [S]."""
    cells = np.flatnonzero(effects.cells)
    columns = effects.following[:, cells]
    stays = columns == 2 * (1 + cells)
    plain = (stays | (columns == TRUE) | (columns == FALSE)).all(axis=1)
    changes = np.where(state[cells], columns == FALSE, columns == TRUE)
    usable = np.flatnonzero(plain & changes.any(axis=1))
    back = np.where(state[cells], columns == TRUE, columns == FALSE)
    if not len(usable) or (changes[usable].any(axis=0) & back[usable].any(axis=0)).any():
        return None
    settings = settings_of(effects, state, len(usable))
    return Timeless(effects, usable.tolist(), state, settings)


def settings_of(effects: Effects, state: Bools, most: int) -> list[Bools]:
    """The clock's settings from the state on, as long as nothing else is known to end the game; one if it is not read.

    Each is a state of which the clock's bases count.
    """
    clock = ~effects.cells
    reading = effects.reading(clock)
    read_by = np.concatenate((effects.legal, effects.goals, [effects.terminal])) >> 1
    if not reading[read_by].any():
        return [state]
    found, node = [], np.zeros(effects.graph.first_gate + len(effects.graph), np.int32)
    now = state.copy()
    for _ in range(most + 1):
        values = 2 * (1 + np.arange(len(now), dtype=np.int32))
        values[clock] = np.where(now[clock], TRUE, FALSE)
        node[1 : 1 + len(now)] = values
        own = Graph(effects.graph.inputs, MOST_GATES)
        copied(own, effects.graph, node)
        if read(node, np.array([effects.terminal], np.int32))[0] == TRUE:
            break
        found.append(now)
        now = state.copy()
        now[clock] = read(node, effects.following[0][clock]) == TRUE
    return found


def copied(graph: Graph, table: Graph, node: Literals) -> None:
    """Fill `node` with the gates of `table` over other inputs, made in `graph`."""
    copy(graph.reserve(len(table)), table.left, table.right, table.first_gate, node)
    graph.reserve(0)
