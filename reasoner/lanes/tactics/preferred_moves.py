"""Preferred legal moves of a role: winning moves, else moves that meet a threat, else captures, else all.

A random choice among preferred moves predicts players better than a choice among all legal moves.
`reasoner.circuit.decisive` finds the literals of wins and defences; `reasoner.lanes.tactics.captures` finds captures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.decisive import InTurn, decisive_moves
from reasoner.circuit.decisive_literals import Decisive
from reasoner.circuit.exclusive_pairs import exclusive_pairs
from reasoner.circuit.graph import FALSE, Graph
from reasoner.circuit.restrict import copy
from reasoner.lanes.alternating_roles import AlternatingRoles
from reasoner.lanes.choice_plan import Choices
from reasoner.lanes.lane_graph import Taken

Moved = Callable[[Ints], Ints]

MIN_GATES, MAX_GATE_RATIO = 20_000, 8
"""Maximum gates that recognize wins and defences: the greater of MIN_GATES and MAX_GATE_RATIO times the circuit's."""


@dataclass(frozen=True, eq=False)
class MoveKnowledge:
    """Known properties of a game's moves."""

    moves: Decisive
    exclusive: list[tuple[int, int]]  # mutually exclusive pairs of bases, on which `moves` relies
    captures: Taken = field(default_factory=list)  # for each move the captured bases; empty: captures are not preferred

    @property
    def meets(self) -> bool:
        """Whether some move may meet a threat."""
        return bool((self.moves.defends != FALSE).any())

    def of_wins_only(self) -> MoveKnowledge:
        """A copy without moves that meet a threat."""
        return replace(self, moves=replace(self.moves, defends=np.full_like(self.moves.defends, FALSE)))


def known_moves(circuit: Circuit, choices: Choices) -> MoveKnowledge | None:
    """The known properties of moves; None if there are none, or some role does not choose by circuit."""
    if choices.drawn:
        return None
    most = max(MIN_GATES, MAX_GATE_RATIO * len(circuit.left))
    pairs = cache(lambda: exclusive_pairs(circuit))
    decisive = decisive_moves(circuit, in_turn(choices.turns), lambda: (*choices.turns.exclusive, *pairs()), most)
    return None if decisive is None else MoveKnowledge(decisive, pairs())


def nothing_known(moves: int) -> MoveKnowledge:
    """The `MoveKnowledge` of `moves` moves without any known property."""
    none, nothing = np.zeros(0, np.int32), np.full(moves, FALSE, np.int32)
    return MoveKnowledge(Decisive(none, none, nothing, nothing), [])


def preferences(
    circuit: Circuit, choices: Choices, graph: Graph, legal: Ints, moved: Moved, known: MoveKnowledge
) -> tuple[list[int], int]:
    """Return, for each move, the literal for "it is legal and preferred", and the literal for "some role can win".

    graph: its inputs are all nodes of the circuit; moved: maps the circuit's literals to the graph; legal: the literals
    of the moves' legality in the graph.
    """
    return _Preferences(circuit, choices, graph, legal, moved, known).made()


def in_turn(turns: AlternatingRoles) -> list[list[InTurn]]:
    """The groups of roles that take turns, as an argument for `decisive_moves`."""
    return [[InTurn(turn.role, turn.literals) for turn in group] for group in turns.groups]


class _Preferences:
    """Builder of the gates, role by role."""

    def __init__(
        self, circuit: Circuit, choices: Choices, graph: Graph, legal: Ints, moved: Moved, known: MoveKnowledge
    ) -> None:
        self.choices, self.graph, self.legal, self.moved = choices, graph, legal, moved
        decisive, shared = known.moves, circuit.stages[0]  # gates of other sections are copied
        given = 1 + len(circuit.bases) + len(circuit.legal) + shared
        left = np.concatenate((circuit.left[shared:], decisive.left))
        right = np.concatenate((circuit.right[shared:], decisive.right))
        node = np.zeros(given + len(left), np.int32)
        node[:given] = moved(2 * np.arange(given, dtype=np.int32))
        graph.made(len(left), copy, left, right, given, node)
        self.wins: list[int] = (node[decisive.wins >> 1] ^ (decisive.wins & 1)).tolist()
        self.defends: list[int] = (node[decisive.defends >> 1] ^ (decisive.defends & 1)).tolist()
        held = moved(2 * np.arange(1, 1 + len(circuit.bases), dtype=np.int32)).tolist()
        taken = known.captures or [()] * len(circuit.legal)
        self.captures = [graph.any(held[base] for base in bases) for bases in taken]

    def made(self) -> tuple[list[int], int]:
        """See `preferences`."""
        legal, won = self.legal.tolist(), []
        for start, end in self.choices.of_role:
            won.append(self._prefer(range(start, end), legal))
        return legal, self.graph.any(won)

    def _prefer(self, moves: range, legal: list[int]) -> int:
        """Restrict the legal moves of a role to the preferred ones; return the literal for "the role can win"."""
        graph = self.graph
        winning = [graph.and_(self.wins[move], legal[move]) for move in moves]
        meeting = [graph.and_(self.defends[move], legal[move]) for move in moves]
        wins, threat = graph.any(winning), graph.any(meeting)
        calm = graph.and_(wins ^ 1, threat ^ 1)
        taking = [graph.and_(graph.and_(self.captures[move], legal[move]), calm) for move in moves]
        free = graph.and_(calm, graph.any(taking) ^ 1)
        for move, win, meet, take in zip(moves, winning, meeting, taking, strict=True):
            better = (take,) if win == meet == FALSE else (win, graph.and_(meet, wins ^ 1), take)
            legal[move] = graph.any((*better, graph.and_(legal[move], free)))
        return wins
