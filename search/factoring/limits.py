"""Limits on the work and time of factoring."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from search.clock import Clock


class TooLargeError(Exception):
    """A limit was exceeded; the text says which limit, for people."""


NO_TIME = "there was not enough time for the analysis"
"""Text of the error if the time was too short."""

GATE_SECONDS = 0.6e-6
"""Estimated seconds to copy one gate into a graph that does not fit into the caches."""


class Budget:
    """Number of gates that may still be visited, the deadline, and whether the analysis is interrupted."""

    def __init__(
        self, clock: Clock | None = None, deadline: float = inf, interrupted: Callable[[], bool] | None = None
    ) -> None:
        self.gates = MAX_GATES
        self._clock, self._deadline, self._interrupted = clock, deadline, interrupted

    @property
    def room(self) -> int:
        """The number of gates that may be visited at once."""
        if self._clock is None:
            return self.gates
        return int(max(0.0, min(self.gates, (self._deadline - self._clock.now()) / GATE_SECONDS)))

    def spend(self, gates: int) -> None:
        """Subtract visited gates, or gates to be visited, from the limit.

        Raises TooLargeError if the limit is reached, if there is too little time to visit so many gates, or if the
        analysis is interrupted.
        """
        self.gates -= gates
        if self.gates <= 0:
            raise TooLargeError("there are too many moves to try each of them")
        if self._clock is not None and self._clock.now() + gates * GATE_SECONDS >= self._deadline:
            raise TooLargeError(NO_TIME)
        if self._interrupted is not None and self._interrupted():
            raise TooLargeError(NO_TIME)


MAX_WORDS = 20_000_000
"""Maximum 64-bit words of the supports of all nodes: 160 MB."""

MAX_GATES = 3_000_000
"""Maximum number of gates visited or created while moves are simulated."""

MAX_EFFECTS = 1_000_000
"""Maximum number of pairs of a move and a base whose next value the move changes."""

MAX_PHASES = 64
"""Maximum number of phases: different settings of the step counter that legality or dynamics read."""

MAX_COUNTED = 1_000_000
"""Maximum number of gates evaluated to run the step counter."""

MAX_SIGNALS = 20_000
"""Maximum number of formulas that goals and termination are split into."""

MAX_CLASSES = 4_000_000
"""Maximum of moves times subgames times phases when moves are classified."""

MAX_GATE_TRIALS = 4
"""Maximum number of literals that are fully tested as gates between subgames."""

MAX_GATE_LOOKS = 32
"""Maximum number of literals that are quickly tested as gates."""

MAX_OPENING_LOOKS = 8
"""Maximum number of literals that are tested as gates because moves require them."""

MAX_CONJUNCTS = 100_000
"""Maximum number of conditions of moves that are visited to find literals that moves require."""

MAX_IN_ORDER = 8
"""Maximum number of subgames in series."""
