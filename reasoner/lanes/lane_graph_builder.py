"""Build a lane graph: add the choice and the preference of moves to a circuit, and divide the gates into sections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, Graph
from reasoner.circuit.traversal import mark, renumbered
from reasoner.lanes.choice_plan import DRAWN, ChoiceGates, Choices, choices_of
from reasoner.lanes.lane_graph import PREFER, LaneGraph
from reasoner.lanes.tactics.captures import captures
from reasoner.lanes.tactics.preferred_moves import MoveKnowledge, known_moves, nothing_known, preferences
from reasoner.lanes.tactics.trials import captures_pay, defences_pay, simultaneous_share

MAX_WINS_COST = 2.0
"""Maximum gates of PREFER, relative to a uniform step, if PREFER prefers winning moves, but no defences.

Without defences, the first move that accidentally lets an opponent win decides a random game. Measured: with a ratio of
0.9 to 1.6 such playouts are as strong as uniform playouts or stronger, with 2.2 to 3.6 they are weaker."""

MAX_SIMULTANEOUS = 0.5
"""Maximum share of states in which several roles have a choice, if PREFER prefers winning moves, but no defences.

Measured: with a share of 1 the preference weakens playouts."""


def lane_graph(circuit: Circuit, *, decisive: bool = True) -> LaneGraph:
    """Divide a circuit into sections; PREFER is empty unless `decisive` is set and a preference helps."""
    builder = _Builder(circuit, choices_of(circuit))
    return _with_preference(builder) if decisive else builder.plain


def _with_preference(builder: _Builder) -> LaneGraph:
    """The graph with the preferences that trials show to help; without PREFER if none helps."""
    graph, known = _with_decisive(builder)
    taken = captures(builder.circuit, builder.choices, builder.plain)
    if not taken:
        return graph
    alone = builder.preferring(replace(nothing_known(builder.moves), captures=taken))
    if not captures_pay(alone, builder.choices.of_role):
        return graph
    return alone if known is None else builder.preferring(replace(known, captures=taken))


def _with_decisive(builder: _Builder) -> tuple[LaneGraph, MoveKnowledge | None]:
    """The graph that prefers wins and defences if defences help, else wins only, else nothing; and the preferences."""
    known = _known(builder)
    if known is None:
        return builder.plain, None
    graph = builder.preferring(known)
    if known.meets and defences_pay(graph):
        return graph, known
    if known.meets:
        known = known.of_wins_only()
        graph = builder.preferring(known)
    cheap = len(graph.sections[PREFER]) <= MAX_WINS_COST * graph.step_gates
    return (graph, known) if cheap and not builder.at_once else (builder.plain, None)


def _known(builder: _Builder) -> MoveKnowledge | None:
    """The known properties of moves; None if preferring them cannot help.

    If no roles take turns, no move meets a threat.
    """
    choices = builder.choices
    if choices.drawn or (not choices.turns.groups and builder.at_once):
        return None
    return known_moves(builder.circuit, choices)


class _Builder:
    """Builder that adds the results `able`, `stop` and `chosen` to a circuit's gates, and divides them into sections.

    The added gates form a graph of their own. Its inputs are all nodes of the circuit.
    """

    def __init__(self, circuit: Circuit, choices: Choices) -> None:
        self.circuit, self.choices = circuit, choices
        self.bases, self.moves, self.gates = len(circuit.bases), len(circuit.legal), len(circuit.left)
        self.randoms = self.choices.randoms
        self.first = 1 + self.bases + self.moves + self.randoms
        self.left, self.right = np.sort([self._moved(circuit.left), self._moved(circuit.right)], axis=0)  # as in ANDs
        self.legal = self._moved(circuit.legal)

    @cached_property
    def plain(self) -> LaneGraph:
        """The graph without PREFER."""
        graph, circuit = self._graph(), self.circuit
        terminal = self._moved_one(circuit.terminal)
        gates = ChoiceGates(self.choices, self.legal, graph, self._moved_one, self.bases + self.moves)
        able = gates.able()
        stop = graph.any([terminal, *(literal ^ 1 for literal in able)])
        able_end = len(graph)
        chosen = gates.chosen()
        added = _needed(graph, np.array([*able, stop, *chosen], np.int32), able_end)
        legal_end, goal_end, next_end, _ = circuit.stages
        able_end, chosen_end = self.gates + added.split, self.gates + len(added.left)
        following, left, right = self._copied_rest(legal_end, chosen_end)
        goals = circuit.goals.copy()
        goals[:, 2] = self._moved(goals[:, 2])
        parts = (
            [*range(legal_end), *range(self.gates, able_end)],
            range(legal_end, goal_end),
            range(able_end, chosen_end),
            range(goal_end, next_end),
            range(chosen_end, chosen_end + len(left)),
            (),
        )
        return LaneGraph(
            circuit=circuit,
            randoms=self.randoms,
            left=np.concatenate((self.left, added.left, left)),
            right=np.concatenate((self.right, added.right, right)),
            sections=tuple(np.array(part, np.int32) + self.first for part in parts),
            legal=self.legal,
            able=added.literals[: len(able)],
            terminal=terminal,
            stop=int(added.literals[len(able)]),
            goals=goals,
            chosen=added.literals[len(able) + 1 :],
            exclusive=np.array(self.choices.turns.exclusive, np.int32).reshape(-1, 2),
            next=following,
            drawn=np.array(self.choices.drawn, np.int32).reshape(-1, 2),
            preferred=np.full(self.moves, DRAWN, np.int32),
            won=FALSE,
        )

    @cached_property
    def at_once(self) -> bool:
        """Whether several roles choose in most states."""
        return simultaneous_share(self.plain, self.choices.of_role) > MAX_SIMULTANEOUS

    def preferring(self, known: MoveKnowledge) -> LaneGraph:
        """The graph with PREFER after all other gates."""
        plain, graph = self.plain, self._graph()
        legal, won = preferences(self.circuit, self.choices, graph, self.legal, self._moved, known)
        gates = ChoiceGates(self.choices, np.array(legal, np.int32), graph, self._moved_one, self.bases + self.moves)
        needed = _needed(graph, np.array([*gates.chosen(), won], np.int32), 0)
        needed = needed.shifted(graph.first_gate, len(plain.left) - self.gates)
        prefer = np.arange(plain.hold, plain.hold + len(needed.left), dtype=np.int32)
        return replace(
            plain,
            left=np.concatenate((plain.left, needed.left)),
            right=np.concatenate((plain.right, needed.right)),
            sections=tuple(prefer if one == PREFER else gates for one, gates in enumerate(plain.sections)),
            exclusive=np.concatenate((plain.exclusive, np.array(known.exclusive, np.int32).reshape(-1, 2))),
            preferred=needed.literals[:-1],
            won=int(needed.literals[-1]),
            captures=known.captures,
        )

    def _graph(self) -> Graph:
        return Graph(self.first + self.gates - 1, max_gates=2**31)

    def _moved(self, literals: Ints) -> Ints:
        """Map literals of the circuit to the lane graph, whose random bits are between the moves and the gates."""
        moved: Ints = np.where(literals >> 1 > self.bases + self.moves, literals + 2 * self.randoms, literals)
        return moved.astype(np.int32)

    def _moved_one(self, literal: int) -> int:
        return int(self._moved(np.array(literal)))

    def _copied_rest(self, shared: int, start: int) -> tuple[Ints, Ints, Ints]:
        """The literals of the bases' next values, and the left and the right operands of the gates of REST.

        The next values of unsearched bases use copies of all gates except the first `shared`; the first copy is gate
        number `start`.
        """
        searched, following = self.circuit.searched, self._moved(self.circuit.next)
        under = np.zeros(self.first + self.gates, np.bool_)
        mark(self.left, self.right, self.first, following[searched:], under)
        copied = self.first + shared + np.flatnonzero(under[self.first + shared :])
        node = np.arange(self.first + self.gates, dtype=np.int32)
        node[copied] = self.first + start + np.arange(len(copied))

        gates = copied - self.first
        left, right = renumbered(self.left[gates], node), renumbered(self.right[gates], node)
        low, high = np.sort([left, right], axis=0)  # as in ANDs
        return np.concatenate((following[:searched], renumbered(following[searched:], node))), low, high


@dataclass(frozen=True, eq=False)
class _Needed:
    """The needed gates of a graph, renumbered; the first `split` of them are those before the gate `gate`."""

    left: Ints
    right: Ints
    split: int
    literals: Ints  # the requested literals, renumbered; DRAWN is unchanged

    def shifted(self, first: int, gates: int) -> _Needed:
        """A copy for a graph in which `gates` other gates, from node `first` on, precede these gates."""

        def moved(literals: Ints) -> Ints:
            after: Ints = np.where(literals >> 1 >= first, literals + 2 * gates, literals)
            return after.astype(np.int32)

        return _Needed(moved(self.left), moved(self.right), self.split, moved(self.literals))


def _needed(graph: Graph, literals: Ints, gate: int) -> _Needed:
    """The gates on which some literals of a graph depend."""
    seen = np.zeros(graph.first_gate + len(graph), np.bool_)
    mark(graph.left, graph.right, graph.first_gate, literals[literals != DRAWN], seen)
    kept = np.flatnonzero(seen[graph.first_gate :])
    node = np.arange(len(seen), dtype=np.int32)
    node[graph.first_gate + kept] = graph.first_gate + np.arange(len(kept))

    asked = np.where(literals == DRAWN, DRAWN, renumbered(np.maximum(literals, 0), node)).astype(np.int32)
    left, right = renumbered(graph.left[kept], node), renumbered(graph.right[kept], node)
    return _Needed(left, right, int(np.searchsorted(kept, gate)), asked)
