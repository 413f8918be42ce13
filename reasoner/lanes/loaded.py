"""Interface of all emitters: a lane program in memory, as functions that run its sections.

A *row* is 512 bits, one for each lane. `values` is aligned memory of rows:

    0            all zeros
    1 … B        the bases
    B+1 … B+M    the moves
    HOLD         lanes that keep their state in NEXT and REST
    RANDOM, 4    the generators' state (`reasoner.lanes.rows.row_random`)
    STOP         written by LEGAL: the game is over there, or some role has no move
    FREE …       whatever the emitter needs

HOLD, RANDOM, STOP and FREE follow the moves (`Layout`). A section is a C function ``void f(values, operands)``:

    LEGAL   from the bases: `legal`, `able`, `terminal`, the row STOP, and the gates that other sections share;
            results may share a row, including STOP, so no other section may write to these rows
    GOAL    the goals
    CHOOSE  takes fresh random rows from the generator and sets the rows of the moves that are chosen by circuit
    PREFER  the same for the preferred moves, and `won`; replaces CHOOSE, runs before GOAL
    NEXT    gives each searched base its next value, except in the lanes of HOLD
    REST    the same for the other bases; runs before NEXT

A literal is ``2 * row + complement``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Rows

Addresses = NDArray[np.int64]

RANDOM_ROWS = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of the rows that all emitters share."""

    bases: int
    moves: int

    @property
    def hold(self) -> int:
        """The row of the lanes that keep their state."""
        return 1 + self.bases + self.moves

    @property
    def random(self) -> int:
        """The first row of the generators' state."""
        return self.hold + 1

    @property
    def stop(self) -> int:
        """The row of the lanes whose game stops."""
        return self.random + RANDOM_ROWS

    @property
    def free(self) -> int:
        """The first row that an emitter may use freely."""
        return self.stop + 1


def rows_of(literals: Ints, layout: Layout) -> Rows:
    """The row STOP and the rows of `literals`, which LEGAL leaves; without the fixed rows that precede STOP."""
    rows = np.unique(np.append(literals >> 1, layout.stop))
    return rows[rows >= layout.stop].astype(np.uint32)


@dataclass(frozen=True, eq=False, kw_only=True)
class Results:
    """The places of the results of all sections; M moves."""

    rows: int  # rows of `values`
    left: Rows  # the rows that LEGAL leaves for later sections; LEGAL may also write other rows
    legal: Rows  # [M] literals
    able: Rows  # [roles] literals
    terminal: int  # literal
    won: int  # literal
    goals: Ints  # [goals, 3] role, value, literal


@dataclass(frozen=True, eq=False, kw_only=True)
class Emitted(Results):
    """Functions in memory and the places of their results."""

    emitter: str  # one of `reasoner.lanes.emitters.EMITTERS`
    entries: Addresses  # [6] the functions of the sections
    operands: Addresses  # [6] the second argument of each function
    keep: tuple[object, ...]  # the owners of the memory


@dataclass(frozen=True, eq=False, kw_only=True)
class Code(Results, ABC):
    """Emitted code: can be pickled, and loaded in another process."""

    @abstractmethod
    def load(self) -> Emitted:
        """Load the program into this process's memory."""

    def loaded(self, emitter: str, entries: Addresses, operands: Addresses, keep: tuple[object, ...]) -> Emitted:
        """Return the functions of an emitter with these results."""
        return Emitted(
            rows=self.rows,
            left=self.left,
            legal=self.legal,
            able=self.able,
            terminal=self.terminal,
            won=self.won,
            goals=self.goals,
            emitter=emitter,
            entries=entries,
            operands=operands,
            keep=keep,
        )
