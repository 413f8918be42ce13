"""Trajectories of random play: positions, moves and ends, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Steps of several games in parallel; a game that ends is followed by the next one in the same column."""

    states: Bytes  # [steps, games, bytes] the state before each step, packed; a row is a state of the machine
    moves: Ints  # [steps, games, roles] indices into each role's moves
    ended: Bools  # [steps, games] the step was the last of its game
    terminal: Bools  # [steps, games] the game ended by the rules
    goals: Ints  # [steps, games, roles] goals at a game's end; -1 at other steps, or if there are none or several
    facts: int  # F, the number of bits of a state

    def bits(self) -> Bytes:
        """Return the states with one byte for each fact.  # [steps, games, F]."""
        return np.unpackbits(self.states, axis=-1, count=self.facts)

    def outcomes(self) -> Ints:
        """Return, for each position, the goals at its game's end; -1 if the game did not end.  # as `goals`."""
        found = self.goals.copy()
        for step in range(len(found) - 2, -1, -1):
            going_on = ~self.ended[step]
            found[step, going_on] = found[step + 1, going_on]
        return found
