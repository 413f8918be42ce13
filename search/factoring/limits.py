"""How much is looked at before factoring gives up, so that a clock is never spent on it: work, and if need be time."""

from __future__ import annotations

from math import inf

from search.clock import Clock


class TooLargeError(Exception):
    """A limit was passed; the text says which, for people."""


NO_TIME = "there was not the time to look at all"
"""The text where only the time was too short."""

GATE_SECONDS = 0.6e-6
"""For one gate to be copied into a graph that no longer fits into caches."""


class Budget:
    """Gates that may still be visited, and the moment until when."""

    def __init__(self, clock: Clock | None = None, deadline: float = inf) -> None:
        self.gates = MAX_GATES
        self._clock, self._deadline = clock, deadline

    @property
    def room(self) -> int:
        """How many gates may be visited at once."""
        if self._clock is None:
            return self.gates
        return int(max(0.0, min(self.gates, (self._deadline - self._clock.now()) / GATE_SECONDS)))

    def spend(self, gates: int) -> None:
        """Count gates, beforehand where there are more than there is `room` for.

        Raises TooLargeError past the limit, or where the time will not do.
        """
        self.gates -= gates
        if self.gates <= 0:
            raise TooLargeError("there are too many moves to try each of them out")
        if self._clock is not None and self._clock.now() + gates * GATE_SECONDS >= self._deadline:
            raise TooLargeError(NO_TIME)


MAX_WORDS = 20_000_000
"""Words of 64 bases, one row a node: 160 MB."""

MAX_GATES = 3_000_000
"""Gates visited, or made, while moves are tried out."""

MAX_EFFECTS = 1_000_000
"""Pairs of a move and a base whose next value it changes."""

MAX_PHASES = 64
"""Different settings of the step counter that legality or dynamics read."""

MAX_COUNTED = 1_000_000
"""Gates evaluated to run the step counter through."""

MAX_SIGNALS = 20_000
"""Formulas that goals and termination are taken apart into."""

MAX_CLASSES = 4_000_000
"""Moves times subgames times phases, each time moves are told apart."""

MAX_GATE_TRIALS = 4
"""Literals of which it is looked at in full whether they open one subgame after another."""

MAX_GATE_LOOKS = 32
"""Literals that are looked at quickly for that."""

MAX_OPENING_LOOKS = 8
"""Literals that are looked at because moves wait for them."""

MAX_CONJUNCTS = 100_000
"""Conditions of moves that are gone through for these."""

MAX_IN_ORDER = 8
"""Subgames one after another."""
