"""What random play brings home: positions, moves and ends, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Steps of several games side by side; a game that ends is followed by the next one in the same column."""

    states: Bytes  # [steps, games, bytes] where each step begins, packed; a row is a state of the machine
    moves: Ints  # [steps, games, roles] places among their roles' moves
    ended: Bools  # [steps, games] the step was the last of its game
    terminal: Bools  # [steps, games] and the rules say that it is over
    goals: Ints  # [steps, games, roles] where a game ended; -1 elsewhere, and where there is no one goal
    facts: int  # F, how many bits a state has

    def bits(self) -> Bytes:
        """The states, a byte a fact.  # [steps, games, F]."""
        return np.unpackbits(self.states, axis=-1, count=self.facts)

    def outcomes(self) -> Ints:
        """For each position the goals that its game ended with; -1 where it did not end.  # [steps, games, roles]."""
        found = self.goals.copy()
        for step in range(len(found) - 2, -1, -1):
            going_on = ~self.ended[step]
            found[step, going_on] = found[step + 1, going_on]
        return found
