"""One subgame by itself: a circuit whose moves are classes of the whole game's, the other subgames left out.

The others stand still. A move of the cone is legal where any move of its class is, and does here what the first of
those does that are legal. Its goals are the whole's, in the mean over some *contexts*, states in which the others may
be when it ends. It ends where the whole would, unless a context ends the whole by itself: of three boards
that must all be full, one is over when it is full, and so is one of three boards of which any ends the game. A subgame
that others follow ends where they begin. One in which nothing can be done any more, though the whole goes on, is worth
as much as the middle of what there is to gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.implications import implies
from reasoner.circuit.restrict import Cut, read
from search.factoring.factors import ACTIONS, Factoring, Subgame
from search.subgames.restricted_circuit import Members, RestrictedCircuit

SPARE = 1 << 16
"""Gates above those of the copies of the circuit that the new graph may have."""


@dataclass(frozen=True, eq=False)
class SubgameCircuit(RestrictedCircuit):
    """The part of a subgame; one move a class and role."""

    idle: tuple[int, ...]  # per role the move that acts on nothing of the subgame, -1 where there is none


def signals(subgame: Subgame) -> tuple[int, ...]:
    """The literals of the whole that its goals and termination read of a subgame."""
    return tuple(sorted({*subgame.terminal, *chain.from_iterable(subgame.goals)}))


def play_cone(
    circuit: Circuit, factoring: Factoring, subgame: int, state: Bools, contexts: Sequence[Bools]
) -> SubgameCircuit:
    """The game of a subgame from `state` of the whole, the others as in one of the `contexts`; one at least."""
    cutting = _Cutting(circuit, factoring, subgame, state, len(contexts))
    node, graph = cutting.node, cutting.cut.graph
    others = [cutting.cut.under(context) for context in contexts]
    ends = [int(read(each, np.array([circuit.terminal], np.int32))[0]) for each in others]
    if subgame < len(factoring.gates):  # others follow when it is over, and then end the whole
        terminal = int(read(node, np.array([factoring.gates[subgame]], np.int32))[0])
        others = [each for end, each in zip(ends, others, strict=True) if end == TRUE] or others
    else:
        others = [each for end, each in zip(ends, others, strict=True) if end != TRUE] or [node]
        terminal = graph.any(set(ends) - {TRUE})
    worth = [read(each, circuit.goals[:, 2]) for each in others]
    means = chain.from_iterable(_mean_goals(graph, circuit, role, worth) for role in range(len(circuit.roles)))
    goals = _where_stuck(graph, [*means], graph.and_(cutting.stuck(), terminal ^ 1), terminal)
    return cutting.cone(terminal, np.array([*goals], np.int32).reshape(-1, 3))


class _Cutting:
    """Cuts a subgame out of a circuit."""

    def __init__(self, circuit: Circuit, factoring: Factoring, subgame: int, state: Bools, contexts: int) -> None:
        self.circuit, self.initial = circuit, state
        one = factoring.subgames[subgame]
        bases = np.array(sorted({*one.bases, *factoring.counter}), np.int64)
        self.classes: Members = tuple(chain.from_iterable(one.classes))
        first = np.array([each[0] for each in self.classes], np.int64)
        self.cut = Cut(circuit, bases, first, (2 + contexts) * len(circuit.left) + SPARE)
        self.legal = read(self.cut.under(state), circuit.legal).tolist()
        self.node = self.cut.under(state, self._made())
        self.owners = np.repeat(np.arange(len(one.classes)), [len(own) for own in one.classes]).tolist()
        self.joint = factoring.kind == ACTIONS

    def _made(self) -> Literals:
        """When each move of the whole is made: when its class is, and no earlier one of it is legal.  # [moves]."""
        graph, made = self.cut.graph, np.zeros(len(self.circuit.legal), np.int32)
        for literal, members in zip(self.cut.made.tolist(), self.classes, strict=True):
            firsts: dict[int, int] = {}
            for move in members:
                firsts.setdefault(self.legal[move], move)
            for allowed, move in firsts.items():
                made[move] = graph.and_(literal, allowed)
                literal = graph.and_(literal, allowed ^ 1)
        return made

    def stuck(self) -> int:
        """The literal of some role that acts here having nothing to do any more."""
        allowed: list[set[int]] = [set() for _ in self.circuit.roles]
        for role, members in zip(self.owners, self.classes, strict=True):
            allowed[role].update(self.legal[move] for move in members)
        return self.cut.graph.any({self.cut.graph.any(own) ^ 1 for own in allowed if own})

    def cone(self, terminal: int, goals: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> SubgameCircuit:
        """The cone with this end and these goals."""
        allowed = [self.cut.graph.any({self.legal[move] for move in each}) for each in self.classes]
        following = read(self.node, self.circuit.next[self.cut.bases])
        initial = self.initial[self.cut.bases]
        circuit = self.cut.circuit(initial, following, np.array(allowed, np.int32), terminal, goals)
        bases, first = self.cut.kept(circuit)
        by_first = {each[0]: each for each in self.classes}
        members = tuple(by_first[move] for move in first.tolist())
        return SubgameCircuit(circuit, bases, members, len(self.circuit.bases), self._idle(members))

    def _idle(self, members: Members) -> tuple[int, ...]:
        """Where a move acts on one subgame at most, those that act on others are the largest class."""
        if self.joint:
            return (-1,) * len(self.circuit.roles)
        owner = dict(zip(self.classes, self.owners, strict=True))
        own: list[list[int]] = [[] for _ in self.circuit.roles]
        for number, each in enumerate(members):
            own[owner[each]].append(number)
        return tuple(max(moves, key=lambda move: len(members[move]), default=-1) for moves in own)


def _mean_goals(graph: Graph, circuit: Circuit, role: int, worth: Sequence[Literals]) -> Iterable[tuple[int, int, int]]:
    """The goals of a role in the mean over contexts, of which `worth` has the literals, as rows of a circuit."""
    rows = np.flatnonzero(circuit.goals[:, 0] == role).tolist()
    values = circuit.goals[rows, 1].tolist()
    sums: dict[int, int] = {0: TRUE}  # points over all contexts so far, and when
    for literals in worth:
        own = [(value, int(literals[row])) for row, value in zip(rows, values, strict=True)]
        none = graph.all(literal ^ 1 for _, literal in own)
        grown: dict[int, set[int]] = {}
        for points, held in sums.items():
            for value, literal in [*own, (0, none)]:
                grown.setdefault(points + value, set()).add(graph.and_(held, literal))
        sums = {points: graph.any(ways) for points, ways in grown.items()}
    means: dict[int, set[int]] = {}
    for points, held in sums.items():
        means.setdefault(round(points / len(worth)), set()).add(held)
    return [(role, mean, graph.any(ways)) for mean, ways in sorted(means.items())]


def _where_stuck(
    graph: Graph, goals: Sequence[tuple[int, int, int]], stuck: int, terminal: int
) -> list[tuple[int, int, int]]:
    """The goals, but where it is `stuck`: the whole goes on elsewhere then, and may end well or badly."""

    def over(literal: int) -> bool:  # so that what a win is made of stays as simple as it is
        return implies(graph.left, graph.right, graph.first_gate, literal, terminal)

    made = []
    for role, every in groupby(goals, key=lambda goal: goal[0]):
        own = {value: literal for _, value, literal in every}
        middle = (min(own) + max(own)) // 2
        for value in sorted({*own, middle}):
            literal = own.get(value, FALSE)
            literal = literal if over(literal) else graph.and_(literal, stuck ^ 1)
            made.append((role, value, graph.any((literal, stuck)) if value == middle else literal))
    return made
