"""Result of factoring: plain values for search and display of the subgames."""

from __future__ import annotations

from dataclasses import dataclass

Literals = tuple[int, ...]
"""Literals of the circuit, ``2 * node + complement``."""

MoveClass = tuple[int, ...]
"""Numbers of moves, counted over all roles, that one subgame does not distinguish."""

NONE, INDEPENDENT, TERMINATION, GOALS = "none", "independent", "interdependent termination", "interdependent goals"
ACTIONS, PARALLEL, SERIAL = "interdependent actions", "parallel", "serial"
"""Kinds: parallel for several players, each of whose moves is for one subgame only; serial: one after another."""

NOTHING, COUNTER, ONE, DISJUNCTIVE, CONJUNCTIVE, BOOLEAN = (
    "nothing",
    "step counter",
    "one",
    "disjunctive",
    "conjunctive",
    "boolean",
)
"""How subgames enter termination: not, only by the step counter, one of them, and combinations of several."""


@dataclass(frozen=True, slots=True)
class Subgame:
    """A part of the game with its own dynamics, given a class of moves for each role."""

    bases: tuple[int, ...]  # numbers of bases, without the step counter's
    classes: tuple[tuple[MoveClass, ...], ...]  # per role; every move is in one class
    terminal: Literals  # literals through which termination reads it
    goals: tuple[Literals, ...]  # per role, literals through which its goals read it


@dataclass(frozen=True, slots=True)
class Factoring:
    """A game as subgames that matter, what they share, and what is dropped.

    In every reachable state, each role's legal moves are those that its subgames allow: one class of each subgame if
    its moves are *joint*; one class of one subgame, with the others idle, if they are *apart*.
    """

    kind: str
    subgames: tuple[Subgame, ...]
    counter: tuple[int, ...]  # numbers of bases that no move influences: every subgame reads them
    dropped: tuple[int, ...]  # numbers of bases that no goal and no termination depends on
    rest: Subgame | None  # of the dropped, what legality reads: its moves remain a way to pass
    termination: str
    reason: str = ""  # why nothing splits
    gates: Literals = ()  # of a serial game: gates[k] reads only subgame k, is true from its end on, and opens the next

    @property
    def splits(self) -> bool:
        """Whether there is less to search than the whole."""
        return self.kind != NONE
