"""Which legal moves a role prefers: those that win, else those that meet a threat, else all.

A random choice among these is a better guess of what players do than one among all legal moves. The literals of winning
and defending are the circuit's (`reasoner.circuit.decisive`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

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

Moved = Callable[[Ints], Ints]

LEAST, TIMES = 20_000, 8
"""Gates that telling wins and defences may take: so many, or so many times those of the circuit."""


@dataclass(frozen=True, eq=False)
class Preference:
    """Literals of the graph that was given."""

    legal: list[int]  # [M] the move is legal, and no other is better
    won: int  # some role has a move that wins
    exclusive: list[tuple[int, int]]  # pairs of bases of which no reachable state has both; this relies on it


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a game's moves, and the pairs of bases that this relies on."""

    moves: Decisive
    exclusive: list[tuple[int, int]]

    @property
    def meets(self) -> bool:
        """Whether some move may meet a threat."""
        return bool((self.moves.defends != FALSE).any())

    def of_wins_only(self) -> Known:
        """The same with no move that meets a threat."""
        return replace(self, moves=replace(self.moves, defends=np.full_like(self.moves.defends, FALSE)))


def known_moves(circuit: Circuit, choices: Choices) -> Known | None:
    """What is known of moves; None where that is nothing, or some role does not choose by circuit."""
    if choices.drawn:
        return None
    most = max(LEAST, TIMES * len(circuit.left))
    pairs = exclusive_pairs(circuit)
    decisive = decisive_moves(circuit, in_turn(choices.turns), (*choices.turns.exclusive, *pairs), most)
    return None if decisive is None else Known(decisive, pairs)


def preferences(
    circuit: Circuit, choices: Choices, graph: Graph, legal: Ints, moved: Moved, known: Known
) -> Preference:
    """What is preferred in each state.

    graph: its inputs are all nodes of the circuit, as `moved` numbers them. legal: the moves' literals in it.
    """
    legally, won = _Preferences(circuit, choices, graph, legal, moved, known.moves).made()
    return Preference(legally, won, known.exclusive)


def in_turn(turns: AlternatingRoles) -> list[list[InTurn]]:
    """The groups of roles that take turns, as `decisive_moves` takes them."""
    return [[InTurn(turn.role, turn.literals) for turn in group] for group in turns.groups]


class _Preferences:
    """Makes the gates, role by role."""

    def __init__(
        self, circuit: Circuit, choices: Choices, graph: Graph, legal: Ints, moved: Moved, decisive: Decisive
    ) -> None:
        self.choices, self.graph, self.legal, self.moved = choices, graph, legal, moved
        shared = circuit.stages[0]  # gates of other sections are made anew
        given = 1 + len(circuit.bases) + len(circuit.legal) + shared
        left = np.concatenate((circuit.left[shared:], decisive.left))
        right = np.concatenate((circuit.right[shared:], decisive.right))
        node = np.zeros(given + len(left), np.int32)
        node[:given] = moved(2 * np.arange(given, dtype=np.int32))
        graph.made(len(left), copy, left, right, given, node)
        self.wins = node[decisive.wins >> 1] ^ (decisive.wins & 1)
        self.defends = node[decisive.defends >> 1] ^ (decisive.defends & 1)

    def made(self) -> tuple[list[int], int]:
        """`legal` and `won`, see `Preference`."""
        legal, won = self.legal.tolist(), []
        for start, end in self.choices.of_role:
            won.append(self._prefer(range(start, end), legal))
        return legal, self.graph.any(won)

    def _prefer(self, moves: range, legal: list[int]) -> int:
        """Narrow the legal moves of a role to those it prefers; whether it wins."""
        graph = self.graph
        winning = {move: graph.and_(int(self.wins[move]), legal[move]) for move in moves}
        meeting = {move: graph.and_(int(self.defends[move]), legal[move]) for move in moves}
        wins, threat = graph.any(winning.values()), graph.any(meeting.values())
        free = graph.and_(wins ^ 1, threat ^ 1)
        for move in moves:
            met = graph.and_(meeting[move], wins ^ 1)
            legal[move] = graph.any((winning[move], met, graph.and_(legal[move], free)))
        return wins
