"""Looking for subgames in the positions of a match, where there is time for it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from reasoner.circuit.circuit import Circuit
from reasoner.errors import LimitError
from search.clock import Clock
from search.factoring import Factoring, factor
from search.factoring.factors import INDEPENDENT
from search.factoring.limits import NO_TIME
from search.subgames.fold_decided import residual
from search.subgames.restricted_circuit import RestrictedCircuit

FIRST, AGAIN, ANEW = 0.08, 0.02, 0.3
"""Of the time there is, what looking may take: the first time (a tenth of the start clock, less what passes between two
looks at it), and twice more each time that this was too short; where it was in vain before; and where it was not."""
FEWER = 0.75
"""Of the moves, the classes of a subgame that is all that matters, at most: else a search of its own brings little."""
EMITTING = 2e-5
"""Seconds a gate, about, to make code of the circuits of subgames."""


@dataclass(frozen=True, eq=False)
class Split:
    """What is left of a game in a position, and the subgames of that."""

    part: RestrictedCircuit
    factoring: Factoring

    @property
    def told(self) -> str:
        """What was found, for people."""
        count = len(self.factoring.subgames)
        kind = self.factoring.kind if count > 1 else INDEPENDENT
        return f"{kind}: {count} subgame{'s' if count > 1 else ''}"


class SplitDetector:
    """Remembers how long it took and what came of it."""

    def __init__(self, circuit: Circuit, clock: Clock) -> None:
        self._circuit, self._clock = circuit, clock
        self._share = FIRST
        self._seconds = 0.0  # that the last look took, and all that was made of it
        self._seen: bytes | None = None
        self._enough = inf  # seconds with more of which a position that was seen is looked at again
        self.spent = 0.0  # seconds, on all looks
        self.given_up = ""  # why subgames are no longer looked for

    def split(self, state: bytes, deadline: float) -> Split | None:
        """The subgames in `state`, if there are any and they can be found in a part of the time.

        Once a position, and again where a look was cut off and there is more than twice the time: a build that left
        little of the start clock is no reason to play the first move without.
        """
        began = self._clock.now()
        room = self._share * (deadline - began)
        needed = max(self._seconds, EMITTING * len(self._circuit.left))
        known = state == self._seen and deadline - began <= self._enough
        if self.given_up or known or needed > room:
            return None
        self._seen, self._enough, found = state, inf, None
        try:
            part = residual(self._circuit, state)
            found = factor(part.circuit, self._clock, began + room)
        except LimitError:  # a graph grew past what it may
            pass
        self.note(began)
        self.spent += self._seconds
        if found is not None and worthwhile(found):
            self._share = ANEW
            return Split(part, found)
        if self._clock.now() >= began + room or (found is not None and found.reason == NO_TIME):
            self._enough = 2 * (deadline - began)
            self._share = self._share + FIRST if self._share < ANEW else AGAIN
        elif self._share != ANEW:
            self._share = AGAIN
        return None

    def note(self, began: float) -> None:
        """Count the time since `began` as needed whenever there is something to be found."""
        self._seconds = self._clock.now() - began


def worthwhile(found: Factoring) -> bool:
    """Whether searching subgames apart brings something: there are several, or far fewer moves to tell apart."""
    if len(found.subgames) != 1:
        return found.splits and len(found.subgames) > 1  # none is left where nothing matters
    classes = found.subgames[0].classes
    return sum(map(len, classes)) <= FEWER * sum(len(moves) for own in classes for moves in own)
