"""Detector of subgames in the positions of a match, within a share of the time."""

from __future__ import annotations

from collections.abc import Callable
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
"""Shares of the available time that a detection may take: the first detection, one after a failure, after a success.

When a detection runs out of time, the share grows by FIRST_SHARE; a share of FOUND_SHARE or more falls to FAILED_SHARE.
"""
MAX_CLASS_SHARE = 0.75
"""Maximum ratio of classes to moves for a separate search of the only subgame; with more, the search gains little."""
SECONDS_A_GATE = 2e-5
"""Estimated seconds per gate for generating the code of the circuits of subgames."""
MIN_SECONDS = 0.02
"""Estimated seconds of the first detection in a small game."""


@dataclass(frozen=True, eq=False)
class Split:
    """The remaining game in a position, and its subgames."""

    part: RestrictedCircuit
    factoring: Factoring

    @property
    def summary(self) -> str:
        """Describe the subgames, for people."""
        count = len(self.factoring.subgames)
        kind = self.factoring.kind if count > 1 else INDEPENDENT
        return f"{kind}: {count} subgame{'s' if count > 1 else ''}"


class SplitDetector:
    """Finds the subgames in a position; its share of the time depends on the duration and success of earlier runs."""

    def __init__(self, circuit: Circuit, clock: Clock) -> None:
        self._circuit, self._clock = circuit, clock
        self._share = FIRST_SHARE
        self._seconds = 0.0  # for the last detection, and for building the searches of the subgames
        self._seen: bytes | None = None
        self._enough = inf  # available seconds above which a known position is examined again
        self.spent = 0.0  # seconds of all detections
        self.given_up = ""  # why subgames are no longer looked for

    def split(self, state: bytes, deadline: float, interrupted: Callable[[], bool] | None = None) -> Split | None:
        """Return the subgames in `state`; None if there are none, if the time does not suffice, or if `interrupted`.

        A position is examined once, and again if the first detection ran out of time and more than twice that time is
        available now. So the first move can use subgames even if the build left little of the start clock.
        """
        began = self._clock.now()
        room = self._share * (deadline - began)
        needed = max(self._seconds or MIN_SECONDS, SECONDS_A_GATE * len(self._circuit.left))
        known = state == self._seen and deadline - began <= self._enough
        if self.given_up or known or needed > room:
            return None
        self._seen, self._enough, found = state, inf, None
        try:
            part = residual(self._circuit, state)
            found = factor(part.circuit, self._clock, began + room, interrupted)
        except LimitError:  # a graph exceeded its limit
            pass
        self.note(began)
        self.spent += self._seconds
        if found is not None and worthwhile(found):
            self._share = FOUND_SHARE
            return Split(part, found)
        if interrupted is not None and interrupted():
            self._seen = None
        elif self._clock.now() >= began + room or (found is not None and found.reason == NO_TIME):
            self._enough = 2 * (deadline - began)
            self._share = self._share + FIRST_SHARE if self._share < FOUND_SHARE else FAILED_SHARE
        elif self._share != FOUND_SHARE:
            self._share = FAILED_SHARE
        return None

    def note(self, began: float) -> None:
        """Record the time since `began` as the duration of the last detection."""
        self._seconds = self._clock.now() - began


def worthwhile(found: Factoring) -> bool:
    """Return whether separate searches pay off: several subgames, or one with far fewer classes than moves."""
    if len(found.subgames) != 1:
        return found.splits and len(found.subgames) > 1  # empty if no fact matters
    classes = found.subgames[0].classes
    return sum(map(len, classes)) <= MAX_CLASS_SHARE * sum(len(moves) for own in classes for moves in own)
