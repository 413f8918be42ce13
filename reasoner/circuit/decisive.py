"""Find decisive moves, which win at once, and moves that meet another role's threat to win, on the gates.

These are the *decisive* moves, and roughly the *anti-decisive* moves, of Teytaud and Teytaud (2010, "On the huge
benefit of decisive moves in Monte-Carlo tree search algorithms"). A legal move WINS if, whatever the other roles do in
the same step, the game is over after it and its role has its best possible goal. For each move a literal states that it
wins. This literal is built from the gates of `terminal` and of that goal over the next values of the bases. Facts that
are known before the move simplify the gates:

    the game is not over: each condition that would end it is false now, and also afterwards unless the move changes it
    the move is legal: the bases that its legality implies are true or false, and bases that exclude true ones are false
    the role makes no other move; another role with only one possible move makes that move

Moves of other roles with a choice remain inputs. If the literal still depends on such a move, it becomes false. Most
literals fold to false.

If roles take turns, the literal states that the move would win if it were its role's turn. In another role's turn this
is a threat. A threat has *reasons*: facts whose truth or falsehood makes its gates true. A move that may end a reason
DEFENDS, unless most other moves of its role may end that reason, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.decisive_changes import WinQuery
from reasoner.circuit.decisive_kernels import phases_read, reasons, under_turn, win
from reasoner.circuit.decisive_literals import Decisive, pruned, simplified
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.implications import implied_bases, implies
from reasoner.circuit.restrict import copy, read
from reasoner.circuit.traversal import mark, spread
from reasoner.errors import LimitError

Edges = list[tuple[int, int]]
Pair = tuple[int, int]

MAX_STEPS = 25_000_000
"""Maximum gates to visit for all moves together; if more are needed, no move is known to win."""

COMMON = 0.5
"""If more than this share of a role's moves may end a reason, none of them is a defence against it."""


@dataclass(frozen=True, slots=True)
class InTurn:
    """A role that takes turns.

    `literals` are literals of the circuit; the role has a choice only in states in which one of them is true.
    """

    role: int
    literals: tuple[int, ...]


def decisive_moves(
    circuit: Circuit, groups: Sequence[Sequence[InTurn]], exclusive: Callable[[], Iterable[Pair]], max_gates: int
) -> Decisive | None:
    """Return the decisive moves and defences; None if no move is known to win, or if a limit is exceeded.

    If only the defences exceed `max_gates`, the result has no defences.
    groups: each group contains the roles that take turns with each other.
    exclusive: computes pairs of mutually exclusive bases, besides those of the circuit's groups and phases; called only
    if the number of steps is small enough.
    """
    try:
        return _Finder(circuit, groups, exclusive, max_gates).found()
    except LimitError:
        return None


class _Finder:
    """Builder of the decisive moves' gates, on a graph that begins with the circuit's gates."""

    def __init__(
        self,
        circuit: Circuit,
        groups: Sequence[Sequence[InTurn]],
        exclusive: Callable[[], Iterable[Pair]],
        max_gates: int,
    ) -> None:
        self.circuit, self.groups, self.exclusive = circuit, groups, exclusive
        self.gates = len(circuit.left)
        self.first = 1 + len(circuit.bases) + len(circuit.legal)
        self.edges: Edges = list(pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist()))
        self.graph, self.most = Graph(self.first - 1, self.gates + max_gates), max_gates

    def found(self) -> Decisive | None:
        """See `decisive_moves`."""
        best = {role: goal for role in range(len(self.edges)) if (goal := _best_goal(self.circuit, role)) is not None}
        queries = {role: self._query(role, goal, [*best.values()]) for role, goal in best.items()}
        steps = sum((self.edges[role][1] - self.edges[role][0]) * one.steps for role, one in queries.items())
        if not steps or steps > MAX_STEPS:
            return None
        queries = {role: self._with_laws(one) for role, one in queries.items()}
        self.graph.made(self.gates, copy, self.circuit.left, self.circuit.right, self.first, self._inputs())
        wins = np.full(len(self.circuit.legal), FALSE, np.int32)
        ended = np.zeros((len(wins), 2 * len(self.circuit.bases)), np.bool_)
        for role, one in queries.items():
            self._win(one, range(*self.edges[role]), wins, ended)
        wins[_depending(self.graph, 1 + len(self.circuit.bases), self.first)[wins >> 1]] = FALSE
        if not wins.any():
            return None
        in_turn = {one.role: one for group in self.groups for one in group}
        for role, one in queries.items():
            self._in_turn(one, in_turn.get(role), range(*self.edges[role]), wins)
        wins = self._shortened(wins)
        try:
            defends = self._defences(queries, wins, ended)
        except LimitError:
            defends = np.full(len(wins), FALSE, np.int32)
        return simplified(pruned(self.graph, self.gates, wins, defends), self.first + self.gates - 1)

    def _inputs(self) -> Literals:
        """Return the literals of the circuit's inputs, by node; gates have 0."""
        return np.concatenate((2 * np.arange(self.first), np.zeros(self.gates))).astype(np.int32)

    def _shortened(self, wins: Literals) -> Literals:
        """Replace the graph by a smaller one, so that the search for reasons is cheaper; return `wins` on it."""
        known = simplified(pruned(self.graph, self.gates, wins, wins[:0]), self.first + self.gates - 1)
        left, right = np.append(self.circuit.left, known.left), np.append(self.circuit.right, known.right)
        self.graph = Graph(self.first - 1, self.gates + self.most)
        node = np.append(self._inputs(), np.zeros_like(known.left))
        self.graph.made(len(left), copy, left, right, self.first, node)
        return read(node, known.wins)

    def _query(self, role: int, goal: int, goals: list[int]) -> WinQuery:
        """Return the kernels' inputs for a role; exclusions and implications are still empty."""
        circuit, nothing = self.circuit, np.zeros(0, np.int64)
        own, others = range(*self.edges[role]), np.ones(len(circuit.legal), np.bool_)
        others[own.start : own.stop] = False
        rising, condition = (goal, TRUE) if self._ends(goal) else (circuit.terminal, goal)
        end = self._under(np.array([rising, condition], np.int32))
        needed = self._under(np.concatenate((circuit.legal, [circuit.terminal, *goals])))
        bases = np.flatnonzero(needed[1 : 1 + len(circuit.bases)]) + 1
        following = circuit.next[bases - 1]
        ahead, after = self._under(circuit.legal[others]), self._under(following)
        given = np.arange(self.first + self.gates, dtype=np.int32) * 2
        for literal in _disjuncts(circuit, self.first):
            given[literal >> 1] = literal & 1
        return WinQuery(
            left=circuit.left,
            right=circuit.right,
            first=self.first,
            given=given,
            ahead=np.flatnonzero(ahead[self.first :]),
            after=np.flatnonzero(after[self.first :] & ~ahead[self.first :]),
            end=np.flatnonzero(end[self.first :]),
            own=np.flatnonzero(self._under(circuit.legal[~others])[self.first :]),
            bases=bases,
            following=following,
            rising=rising,
            condition=condition,
            read=phases_read(circuit.left, circuit.right, self.first, rising),
            edges=np.array([0, *(end for _, end in self.edges)], np.int64),
            role=role,
            begins=nothing,
            excluded=nothing,
            implied=np.zeros((0, 2, 0), np.uint64),
        )

    def _with_laws(self, query: WinQuery) -> WinQuery:
        begins, excluded = self._exclusions
        return query._replace(begins=begins, excluded=excluded, implied=self._implied)

    @cached_property
    def _exclusions(self) -> tuple[Longs, Longs]:
        return _exclusions(self.circuit, self.exclusive())

    @cached_property
    def _implied(self) -> Words:
        circuit = self.circuit
        return implied_bases(circuit.left, circuit.right, self.first, len(circuit.bases), circuit.legal)

    def _ends(self, goal: int) -> bool:
        """Whether the game is known to be over if a goal is true: the goal's conjuncts imply `terminal`."""
        circuit = self.circuit
        return implies(circuit.left, circuit.right, self.first, goal, circuit.terminal)

    def _under(self, literals: Literals) -> Bools:
        """Return, for each node of the circuit, whether one of the literals depends on it."""
        seen = np.zeros(self.first + self.gates, np.bool_)
        mark(self.circuit.left, self.circuit.right, self.first, literals.astype(np.int32), seen)
        return seen

    def _win(self, query: WinQuery, moves: range, wins: Literals, ended: Bools) -> None:
        """Set the win literal of each move, and, in `ended`, the bases whose truth or falsehood the move may end."""
        room = len(query.ahead) + len(query.after) + 3 * len(query.end) + len(query.bases) + 1
        for move in moves:
            wins[move] = self.graph.made(room, win, query, self.circuit.legal, move, ended[move])
        if moves:
            common = ended[moves.start : moves.stop].mean(axis=0) > COMMON
            ended[moves.start : moves.stop, common] = False

    def _in_turn(self, query: WinQuery, turn: InTurn | None, moves: range, wins: Literals) -> None:
        """Restrict each win literal to states where the move is legal, or would be legal in its role's turn."""
        legal = self.circuit.legal[moves.start : moves.stop]
        if turn is not None:
            room = len(query.own) + 2
            under = [self.graph.made(room, under_turn, query, query.own, literal, legal) for literal in turn.literals]
            legal = np.array([self.graph.any(ways) for ways in np.array(under).T.tolist()], np.int32)
        for move, can in zip(moves, legal.tolist(), strict=True):
            if wins[move] != FALSE:
                wins[move] = self.graph.and_(int(wins[move]), can)

    def _defences(self, queries: dict[int, WinQuery], wins: Literals, ended: Bools) -> Literals:
        """Return, for each move, the literal for "it may end a reason of a threat by a role whose turn may be next"."""
        defends = np.full(len(wins), FALSE, np.int32)
        for group in self.groups:
            reasons = {turn.role: self._reasons(wins[slice(*self.edges[turn.role])]) for turn in group}
            for turn in group:
                others = [reasons[other.role] for other in group if self._may_follow(queries, turn, other)]
                for move in range(*self.edges[turn.role]):
                    met = (other[literal] for other in others for literal in np.flatnonzero(ended[move]).tolist())
                    defends[move] = self.graph.any(literal for literal in met if literal != FALSE)
        return defends

    def _may_follow(self, queries: dict[int, WinQuery], turn: InTurn, other: InTurn) -> bool:
        """Whether the turn `other` may come right after `turn`."""
        before = queries.get(turn.role)
        if other.role == turn.role or before is None:
            return False
        bases = (np.array(other.literals) >> 1) - 1
        following = self.circuit.next[bases] ^ (np.array(other.literals) & 1)
        gates = np.flatnonzero(self._under(following)[self.first :])
        come = (
            self.graph.made(len(gates) + 2, under_turn, before, gates, literal, following.astype(np.int32))
            for literal in turn.literals
        )
        return any((literals != FALSE).any() for literals in come)

    def _reasons(self, wins: Literals) -> list[int]:
        """Return two literals for each base: its truth is a reason of one of `wins`; its falsehood is a reason."""
        graph = self.graph
        roots = np.unique(wins[wins != FALSE])
        count = graph.first_gate + len(graph)
        seen = np.zeros(count, np.bool_)
        mark(graph.left, graph.right, graph.first_gate, roots, seen)
        cone = np.flatnonzero(seen[graph.first_gate :])
        because = np.full(2 * count, FALSE, np.int32)
        because[roots] = roots
        graph.made(10 * len(cone) + 10, reasons, cone[::-1].copy(), because)
        found: list[int] = because[2 : 2 + 2 * len(self.circuit.bases)].tolist()
        return found


def _best_goal(circuit: Circuit, role: int) -> int | None:
    """Return the literal of a role's best goal; None if the role has fewer than two goal values."""
    goals = circuit.goals[circuit.goals[:, 0] == role]
    return int(goals[np.argmax(goals[:, 1]), 2]) if len(np.unique(goals[:, 1])) > 1 else None


def _disjuncts(circuit: Circuit, first: int) -> list[int]:
    """Return the disjuncts of `terminal`, also inner ones: each literal is false while the game is not over."""
    found, waiting = set[int](), [circuit.terminal]
    while waiting:
        literal = waiting.pop()
        if literal in found:
            continue
        found.add(literal)
        if literal & 1 and literal >> 1 >= first:
            gate = (literal >> 1) - first
            waiting += [int(circuit.left[gate]) ^ 1, int(circuit.right[gate]) ^ 1]
    return [literal for literal in found if literal > TRUE]


def _exclusions(circuit: Circuit, pairs: Iterable[tuple[int, int]]) -> tuple[Longs, Longs]:
    """Return, for each base's node, the nodes of the bases that exclude it: offsets, then nodes."""
    count = len(circuit.bases)
    rows: list[set[int]] = [set() for _ in range(count + 1)]
    for group in (*circuit.groups, *pairs, *_exclusive_phases(circuit)):
        counted = [1 + base for base in group if base < count]
        for base in counted:
            rows[base].update(counted)
    rows = [row - {base} for base, row in enumerate(rows)]
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return ends, np.fromiter(chain.from_iterable(map(sorted, rows)), np.int64)


def _exclusive_phases(circuit: Circuit) -> Iterable[tuple[int, int]]:
    """Return pairs of bases of the step counter that no phase contains together."""
    if circuit.phases is None:
        return ()
    bases, every = sorted(circuit.phases.bases), circuit.phases.all
    held = np.array(
        [[base in phase for base in bases] for phase in every], np.float32
    )  # matrix product: float32 is fast
    apart = np.argwhere(np.triu(held.T @ held == 0, 1)).tolist()
    return ((bases[a], bases[b]) for a, b in apart)


def _depending(graph: Graph, start: int, end: int) -> Bools:
    """Return, for each node, whether it depends on one of the inputs from `start` to before `end`."""
    found = np.zeros(graph.first_gate + len(graph), np.bool_)
    found[start:end] = True
    spread(graph.left, graph.right, graph.first_gate, found)
    return found
