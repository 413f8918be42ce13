"""Detector of subgames in the positions of a match, within a share of the time."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from reasoner.circuit.circuit import Circuit
from reasoner.errors import LimitError
from search.clock import Clock
from search.factoring import Factoring, factor
from search.factoring.factors import INDEPENDENT
from search.factoring.limits import NO_TIME
from search.subgames.restricted_circuit import RestrictedCircuit, residual

FIRST_SHARE, FAILED_SHARE, FOUND_SHARE = 0.08, 0.02, 0.3
"""Shares of the time that detection may take: at first, after a failure, after a success.

The first is a tenth of the start clock, less the time between two looks at it. It grows by itself each time that it was
too short.
"""
MAX_CLASS_SHARE = 0.75
"""If only one subgame matters: its classes as a share of its moves, at most; with more, its own search gains little."""
SECONDS_A_GATE = 2e-5
"""Estimated seconds a gate to generate code for the circuits of subgames."""


@dataclass(frozen=True, eq=False)
class Split:
    """The remaining game in a position, and its subgames."""

    part: RestrictedCircuit
    factoring: Factoring

    @property
    def summary(self) -> str:
        """The result, for people."""
        count = len(self.factoring.subgames)
        kind = self.factoring.kind if count > 1 else INDEPENDENT
        return f"{kind}: {count} subgame{'s' if count > 1 else ''}"


class SplitDetector:
    """Looks for subgames; remembers the time it took and its success."""

    def __init__(self, circuit: Circuit, clock: Clock) -> None:
        self._circuit, self._clock = circuit, clock
        self._share = FIRST_SHARE
        self._seconds = 0.0  # for the last detection, and for all that was built from its result
        self._seen: bytes | None = None
        self._enough = inf  # time above which a known position is examined again
        self.spent = 0.0  # seconds for all detections
        self.given_up = ""  # why subgames are no longer looked for

    def split(self, state: bytes, deadline: float) -> Split | None:
        """Find the subgames in `state`, if there are any and a share of the time suffices.

        Runs once for a position, and again if a detection was cut off and there is more than twice the time: a build
        that left little of the start clock is no reason to play the first move without subgames.
        """
        began = self._clock.now()
        room = self._share * (deadline - began)
        needed = max(self._seconds, SECONDS_A_GATE * len(self._circuit.left))
        known = state == self._seen and deadline - began <= self._enough
        if self.given_up or known or needed > room:
            return None
        self._seen, self._enough, found = state, inf, None
        try:
            part = residual(self._circuit, state)
            found = factor(part.circuit, self._clock, began + room)
        except LimitError:  # a graph exceeded its limit
            pass
        self.note(began)
        self.spent += self._seconds
        if found is not None and worthwhile(found):
            self._share = FOUND_SHARE
            return Split(part, found)
        if self._clock.now() >= began + room or (found is not None and found.reason == NO_TIME):
            self._enough = 2 * (deadline - began)
            self._share = self._share + FIRST_SHARE if self._share < FOUND_SHARE else FAILED_SHARE
        elif self._share != FOUND_SHARE:
            self._share = FAILED_SHARE
        return None

    def note(self, began: float) -> None:
        """Record the time since `began` as the time a detection needs."""
        self._seconds = self._clock.now() - began


def worthwhile(found: Factoring) -> bool:
    """Return whether separate searches pay off: several subgames, or one with far fewer classes than moves."""
    if len(found.subgames) != 1:
        return found.splits and len(found.subgames) > 1  # none is left if nothing matters
    classes = found.subgames[0].classes
    return sum(map(len, classes)) <= MAX_CLASS_SHARE * sum(len(moves) for own in classes for moves in own)
