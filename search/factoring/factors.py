"""What factoring finds: plain values for whoever searches or shows the subgames."""

from __future__ import annotations

from dataclasses import dataclass

Literals = tuple[int, ...]
"""Literals of the circuit, ``2 * node + complement``."""

MoveClass = tuple[int, ...]
"""Numbers of moves, counted over all roles, that one subgame cannot tell apart."""

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
"""How subgames enter termination: not, only facts that no move influences, one of them, and combinations of several."""


@dataclass(frozen=True, slots=True)
class Subgame:
    """A part of the game that goes its own way, given a class of moves for each role."""

    bases: tuple[int, ...]  # numbers of bases, without the step counter's
    classes: tuple[tuple[MoveClass, ...], ...]  # per role; every move is in one class
    terminal: Literals  # what termination needs to know of it
    goals: tuple[Literals, ...]  # per role, what its goals need to know of it


@dataclass(frozen=True, slots=True)
class Factoring:
    """A game as subgames that matter, what they share, and what is dropped.

    In every state that play reaches, each role's legal moves are those that its subgames allow: one class of each
    subgame where its moves are *joint*, one class of one subgame where they are *apart* and the others idle.
    """

    kind: str
    subgames: tuple[Subgame, ...]
    counter: tuple[int, ...]  # numbers of bases that no move influences: every subgame reads them
    dropped: tuple[int, ...]  # numbers of bases that no goal and no termination depends on
    rest: Subgame | None  # of the dropped, what legality reads: its moves remain a way to pass
    termination: str
    reason: str = ""  # why nothing splits
    gates: Literals = ()  # of a serial game: gates[k] reads subgame k alone, is true from its end on, opens the next

    @property
    def splits(self) -> bool:
        """Whether there is less to search than the whole."""
        return self.kind != NONE
