"""Circuit of one subgame, called its *cone*: its moves are classes of the whole game's moves.

The other subgames do not change. A move of the cone is legal if any move of its class is legal, and has the effect of
the first legal move of the class. The goals are those of the whole game, averaged over some *contexts*: states that the
other subgames may be in when this subgame ends. The subgame ends where the whole game would end, unless a context alone
ends the whole game. So a board is over when it is full, whether the game ends with the first full board or with the
last. If other subgames follow a subgame, it ends where they begin. In a state without legal moves in which the whole
game continues, the value is the middle of the possible goals.
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

SPARE_GATES = 1 << 16
"""Gates that the new graph may have in addition to those of the copies of the circuit."""


@dataclass(frozen=True, eq=False)
class SubgameCircuit(RestrictedCircuit):
    """The circuit of a subgame, with one move for each class of each role."""

    idle: tuple[int, ...]  # per role the number of a move without effect on the subgame; -1: none


def signals(subgame: Subgame) -> tuple[int, ...]:
    """Return the literals of a subgame that the goals and termination of the whole game read."""
    return tuple(sorted({*subgame.terminal, *chain.from_iterable(subgame.goals)}))


def play_cone(
    circuit: Circuit, factoring: Factoring, subgame: int, state: Bools, contexts: Sequence[Bools]
) -> SubgameCircuit:
    """Return the cone of a subgame from `state` of the whole game; its goals are means over one or more `contexts`."""
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
        self.idle = one.idle
        first = np.array([each[0] for each in self.classes], np.int64)
        self.cut = Cut(circuit, bases, first, (2 + contexts) * len(circuit.left) + SPARE_GATES)
        self.legal = read(self.cut.under(state), circuit.legal).tolist()
        self.node = self.cut.under(state, self._made())
        self.owners = np.repeat(np.arange(len(one.classes)), [len(own) for own in one.classes]).tolist()
        self.joint = factoring.kind == ACTIONS

    def _made(self) -> Literals:
        """Return the condition of each move: its class is made and no earlier move of it is legal.  # [moves]."""
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
        """Return the literal that is true if some role with moves in the subgame has no legal one."""
        allowed: list[set[int]] = [set() for _ in self.circuit.roles]
        for role, members in zip(self.owners, self.classes, strict=True):
            allowed[role].update(self.legal[move] for move in members)
        return self.cut.graph.any({self.cut.graph.any(own) ^ 1 for own in allowed if own})

    def cone(self, terminal: int, goals: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> SubgameCircuit:
        """Return the cone with the given terminal condition and goals."""
        allowed = [self.cut.graph.any({self.legal[move] for move in each}) for each in self.classes]
        following = read(self.node, self.circuit.next[self.cut.bases])
        initial = self.initial[self.cut.bases]
        circuit = self.cut.circuit(initial, following, np.array(allowed, np.int32), terminal, goals)
        bases, first = self.cut.kept(circuit)
        by_first = {each[0]: each for each in self.classes}
        members = tuple(by_first[move] for move in first.tolist())
        return SubgameCircuit(circuit, bases, members, len(self.circuit.bases), self._idle(members))

    def _idle(self, members: Members) -> tuple[int, ...]:
        """Return per role its idle move, or -1 if it has none."""
        if self.joint:
            return (-1,) * len(self.circuit.roles)
        numbers = {each: number for number, each in enumerate(members)}
        return tuple(numbers.get(idle, -1) for idle in self.idle)


def _mean_goals(graph: Graph, circuit: Circuit, role: int, worth: Sequence[Literals]) -> Iterable[tuple[int, int, int]]:
    """Return a role's goals averaged over contexts, as rows of a circuit; `worth`: the goal literals per context."""
    rows = np.flatnonzero(circuit.goals[:, 0] == role).tolist()
    values = circuit.goals[rows, 1].tolist()
    sums: dict[int, int] = {0: TRUE}  # sum of points over the contexts so far, and its condition
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
    """Return the goals; where the subgame is `stuck`, their middle, because the whole game continues."""

    def over(literal: int) -> bool:  # such a literal needs no exclusion of `stuck`
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
