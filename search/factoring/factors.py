"""Result of factoring, for search and display of the subgames."""

from __future__ import annotations

from dataclasses import dataclass

Literals = tuple[int, ...]
"""Literals of the circuit, ``2 * node + complement``."""

MoveClass = tuple[int, ...]
"""Moves that a subgame does not distinguish, by their numbers over all roles together."""

NONE, INDEPENDENT, TERMINATION, GOALS = "none", "independent", "interdependent termination", "interdependent goals"
ACTIONS, PARALLEL, SERIAL = "interdependent actions", "parallel", "serial"
"""Kinds of compound games.

PARALLEL: several players, each of whom moves in one subgame only. SERIAL: one subgame after another.
"""

NOTHING, COUNTER, ONE, DISJUNCTIVE, CONJUNCTIVE, BOOLEAN = (
    "nothing",
    "step counter",
    "one",
    "disjunctive",
    "conjunctive",
    "boolean",
)
"""What termination depends on: nothing, the step counter, one subgame, or a combination of several subgames."""


@dataclass(frozen=True, slots=True)
class Subgame:
    """A part of the game whose dynamics depend only on the part itself and on the classes of the moves made."""

    bases: tuple[int, ...]  # numbers of bases, without the step counter
    classes: tuple[tuple[MoveClass, ...], ...]  # per role; every move is in one class
    idle: tuple[MoveClass, ...]  # per role, the largest class without an effect on the part; empty: none
    terminal: Literals  # literals of the subgame that termination reads
    goals: tuple[Literals, ...]  # per role, literals of the subgame that the role's goals read


@dataclass(frozen=True, slots=True)
class Factoring:
    """Decomposition of a game into subgames, a shared step counter, and facts without influence.

    In every reachable state, the subgames determine the legal moves of a role. If its moves are *joint*, a move is a
    free combination of one class of each subgame. If its moves are *apart*, a move is one class of one subgame, and
    idle in the others.
    """

    kind: str
    subgames: tuple[Subgame, ...]
    counter: tuple[int, ...]  # numbers of bases that no move influences: every subgame reads them
    dropped: tuple[int, ...]  # numbers of bases that no goal and no termination depends on
    rest: Subgame | None  # the dropped bases that legality reads: their moves remain as a way to pass
    termination: str
    reason: str = ""  # why the game does not split
    gates: Literals = ()  # serial games: gates[k] reads only subgame k, is true from its end on, and opens k + 1

    @property
    def splits(self) -> bool:
        """Whether a search of the subgames is smaller than a search of the whole game."""
        return self.kind != NONE
