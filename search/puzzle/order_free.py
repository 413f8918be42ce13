"""SAT encoding of games in which the order of moves hardly matters: a set of moves and a last move, without steps.

The encoding requires that moves only set a cell, or only clear it. Then the cells depend only on the set of moves made,
and the clock on their number. The question asks for a set of moves: each is legal after all the others, and the game is
not over after the whole set. It also asks for a last move that ends the game with a given value. If legal moves can
only become illegal, any order of the set is legal. Otherwise, or if the game could end on the way, `move_order` tries
to find a legal order. A refuted question proves nothing, except a `loose` question in a `closed` game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import copy, read
from reasoner.circuit.traversal import mark
from reasoner.errors import LimitError
from reasoner.sat.solver import Solver
from search.factoring.effects import again
from search.puzzle.effects import Effects
from search.puzzle.formula import Formula

MAX_GATES = 4_000_000
MAX_GATES_READ = 500_000
"""Maximum number of gates of a question: more take too long in one turn."""


@dataclass(frozen=True, eq=False)
class OrderFreeGame:
    """A game in which the order of moves hardly matters after `state`; S searched bases."""

    effects: Effects
    state: Bools  # [S]
    usable: tuple[int, ...]  # moves that only set and clear cells, at least one cell
    settings: tuple[Bools, ...]  # clock settings that do not end the game; one if nothing reads the clock
    last: Bools | None  # the clock setting that ends the game
    closed: bool  # there are no other moves and settings, so refutations are proofs


class OrderFree:
    """The question as a formula: `send` it to a process, then ask for one of the `targets`.

    With `loose`, moves need not be legal, and their number need not match the clock. A value that is refuted under
    these weaker conditions is unreachable.
    """

    def __init__(self, kind: OrderFreeGame, solver: Solver, *, loose: bool = False) -> None:
        self._kind, self._effects, self._loose = kind, kind.effects, loose
        self._usable, self._state = kind.usable, kind.state
        self._array = np.array(kind.usable, np.int64)
        self._settings = [*kind.settings, kind.last] if loose and kind.last is not None else list(kind.settings)
        self._moves = len(kind.effects.circuit.legal)
        self._graph = Graph(2 * self._moves + len(self._settings) + 1, MAX_GATES)
        self.formula = Formula(self._graph, solver)
        self.targets: list[tuple[int, int]] = []  # possible values, 0..100, best first, and their literals

    def send(self) -> Iterator[None]:
        """Send the question to the process, one part per turn."""
        effects = self._effects
        if len(effects.graph) > MAX_GATES_READ:
            raise LimitError("the game has too many gates to search for all moves at once", limit="gates")
        facts = self._facts(self._lengths())
        node = np.zeros(effects.graph.first_gate + len(effects.graph), np.int32)
        node[1 : 1 + len(facts)] = facts
        copied(self._graph, effects.graph, node)
        yield
        over = int(read(node, np.array([effects.terminal], np.int32))[0])
        if self._loose:
            without = self._graph.any(read(node, effects.legal).tolist()) ^ 1  # no legal move: an end, too
            self.targets = self._ends(self._graph.any((over, without)), read(node, effects.goals))
            return
        self.formula.require([[over ^ 1]])
        for move in self._usable:
            self.formula.require([[self.made(move) ^ 1, self._legal_last(node, move)]])
            yield
        last = [self.last(m) for m in range(self._moves)]
        self.formula.one_of(last)
        self.formula.require([y ^ 1, legal] for y, legal in zip(last, read(node, effects.legal).tolist(), strict=True))
        yield
        self.targets = self._ends(*self._after(facts))

    def made(self, move: int) -> int:
        """Return the literal that is true if a move is in the set."""
        return 2 * (1 + move)

    def last(self, move: int) -> int:
        """Return the literal that is true if a move is the last move."""
        return 2 * (1 + self._moves + move)

    def moves(self, true: Sequence[int]) -> tuple[list[int], int]:
        """Return the set of moves and the last move of an answer, given its true variables."""
        made = [variable - 1 for variable in true if variable <= self._moves]
        last = [variable - 1 - self._moves for variable in true if self._moves < variable <= 2 * self._moves]
        return made, last[0]

    def _lengths(self) -> list[int]:
        """Return one literal for each clock setting, which is true if the clock has this setting."""
        count = len(self._settings)
        if count < 2:
            return [TRUE] * count
        first = 2 * (1 + 2 * self._moves)
        if self._loose:
            shown = [first + 2 * k for k in range(count)]
            self.formula.one_of(shown)
            return shown
        made = [self.made(m) for m in self._usable]
        least = [TRUE, *(first + 2 * k for k in range(1, count)), FALSE]
        for k in range(1, count):
            self.formula.count(least[k], k, made)
        self.formula.never(count, made)
        return [self._graph.and_(least[k], least[k + 1] ^ 1) for k in range(count)]

    def _facts(self, lengths: list[int], without: int = -1) -> Literals:
        """Return the searched bases after the moves of the set."""
        effects, graph = self._effects, self._graph
        found = np.where(self._state, TRUE, FALSE).astype(np.int32)
        for base in np.flatnonzero(effects.cells).tolist():
            found[base] = self._fact(base, without)
        for base in np.flatnonzero(~effects.cells).tolist() if len(lengths) > 1 else ():
            found[base] = graph.any(
                length for length, setting in zip(lengths, self._settings, strict=True) if setting[base]
            )
        return found

    def _fact(self, base: int, without: int) -> int:
        """Return the literal of a cell after all moves of the set except `without`."""
        column, held = self._effects.following[:, base], bool(self._state[base])
        changing = self._array[column[self._array] == (FALSE if held else TRUE)]
        return self._graph.any((2 * (1 + changing[changing != without])).tolist()) ^ int(held)

    def _legal_last(self, node: Literals, move: int) -> int:
        """Return the literal that a usable move is legal after all others of the set.  # node: after the whole set."""
        effects, graph = self._effects, self._graph
        table, own = effects.graph, effects.following[move]
        changed = np.flatnonzero(effects.cells & (own != 2 * (1 + np.arange(len(own)))))
        literal = effects.legal[move : move + 1]
        seen = np.zeros(len(node), np.bool_)
        mark(table.left, table.right, table.first_gate, literal, seen)
        cone = np.flatnonzero(seen[table.first_gate :]).astype(np.int32) + np.int32(table.first_gate)
        kept = node.copy()
        for base in changed.tolist():
            node[1 + base] = self._fact(base, move)
        again(graph.reserve(len(cone)), table.left, table.right, table.first_gate, node, cone)
        graph.reserve(0)
        found = int(read(node, literal)[0])
        node[:] = kept
        return found

    def _after(self, facts: Literals) -> tuple[int, Literals]:
        """Return the literals of termination and goals after the last move."""
        circuit, graph = self._effects.circuit, self._graph
        bases, first, gates = len(circuit.bases), 1 + len(circuit.bases) + self._moves, len(circuit.left)
        node = np.zeros(first + gates, np.int32)
        node[1 : 1 + len(facts)] = facts
        node[1 + bases : first] = [self.last(m) for m in range(self._moves)]
        copy(graph.reserve(gates), circuit.left, circuit.right, first, node)
        node[1 : 1 + len(facts)] = read(node, circuit.next[: circuit.searched])
        copy(graph.reserve(gates), circuit.left, circuit.right, first, node)
        graph.reserve(0)
        return int(read(node, np.array([circuit.terminal], np.int32))[0]), read(node, circuit.goals[:, 2])

    def _ends(self, over: int, goals: Literals) -> list[tuple[int, int]]:
        """Return the possible final values, best first, with the literal of each."""
        ends: dict[int, list[int]] = {}
        for value, literal in zip(self._effects.circuit.goals[:, 1].tolist(), goals.tolist(), strict=True):
            ends.setdefault(value, []).append(self._graph.and_(over, literal))
        joined = [(value, self._graph.any(literals)) for value, literals in sorted(ends.items(), reverse=True)]
        return [each for each in joined if each[1] != FALSE]


def begin(effects: Effects, state: Bools) -> OrderFreeGame | None:
    """Return the game that begins in a state, if its order of moves hardly matters; else None.  # state [S]."""
    cells = np.flatnonzero(effects.cells)
    columns = effects.following[:, cells]
    plain = ((columns == 2 * (1 + cells)) | (columns == TRUE) | (columns == FALSE)).all(axis=1)
    changes = np.where(state[cells], columns == FALSE, columns == TRUE)
    usable = np.flatnonzero(plain & changes.any(axis=1))
    back = np.where(state[cells], columns == TRUE, columns == FALSE)
    if not len(usable) or (changes[plain].any(axis=0) & back[plain].any(axis=0)).any():
        return None
    settings, last = settings_of(effects, state, len(usable))
    if not settings:
        return None
    closed = bool(plain.all()) and (last is not None or len(settings) == 1)
    return OrderFreeGame(effects, state, tuple(usable.tolist()), tuple(settings), last, closed)


def settings_of(effects: Effects, state: Bools, most: int) -> tuple[list[Bools], Bools | None]:
    """Return the clock settings of a state and after each further move, and the setting that always ends the game.

    At most `most` + 1 settings are returned before that one; it is None if it is unknown or does not exist. A setting
    is a state of which only the clock bases count. A clock that nothing reads has one setting.
    """
    clock = ~effects.cells
    reading = effects.reading(clock)
    read_by = np.concatenate((effects.legal, effects.goals, [effects.terminal])) >> 1
    if not reading[read_by].any():
        return [state], None
    found, now = list[Bools](), state
    node = np.zeros(effects.graph.first_gate + len(effects.graph), np.int32)
    while len(found) <= most:
        node[1 : 1 + len(now)] = 2 * (1 + np.arange(len(now)))
        node[1 : 1 + len(now)][clock] = np.where(now[clock], TRUE, FALSE)
        copied(Graph(effects.graph.inputs, MAX_GATES), effects.graph, node)
        if read(node, np.array([effects.terminal], np.int32))[0] == TRUE:
            return found, now
        found.append(now)
        now = state.copy()
        now[clock] = read(node, effects.following[0][clock]) == TRUE
    return found, None


def copied(graph: Graph, table: Graph, node: Literals) -> None:
    """Copy the gates of `table` to `graph` over the inputs in `node`; write the literals of the gates to `node`."""
    copy(graph.reserve(len(table)), table.left, table.right, table.first_gate, node)
    graph.reserve(0)
