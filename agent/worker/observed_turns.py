"""What a role knows of a match of GDL-II, message by message."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from agent.protocol.observation import observed
from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.propagation import Over
from search.belief.state_set import Observation

MISSED = 8
"""Turns at most that are taken for missed; a manager that counts otherwise has not made more of them."""


class ObservedTurns:
    """The messages so far, and the belief that they lead to."""

    def __init__(self, machine: Machine, role: int) -> None:
        self.belief = Belief(machine, role)
        self.items: list[tuple[str, ...]] = []
        self._turn: int | None = None  # of the last message
        self._legal: tuple[Term, ...] | None = None
        self._state: State | None = None

    @property
    def legal(self) -> tuple[Term, ...]:
        """Our moves that are legal, as far as is known."""
        if self._legal is None:
            self._legal = self.belief.favourites()
        return self._legal

    @property
    def state(self) -> State:
        """The likeliest state."""
        if self._state is None:
            self._state = self.belief.likeliest()
        return self._state

    def apply(self, item: Sequence[str], over: Over = lambda: False) -> bool:
        """Take in a message; False for one of a turn that is known already."""
        told = observed(item)
        if self._turn is not None and told.turn <= self._turn:
            return False
        before, self._turn = self._turn, told.turn
        self.items.append(tuple(item))
        if told.move is None and before is None:
            return True  # the first message: no move was made yet
        missed = told.turn - 1 - (before or 0)
        for _ in range(min(max(missed, 0), MISSED)):
            self.belief.observe(Observation(None, None), over)
        self.belief.observe(Observation(self._own(told.move), _terms(told.percepts), told.asked), over)
        if not self.belief.alive:
            structlog.get_logger().warning("no state agrees with the percepts", turn=told.turn)
        self._legal = self._state = None
        return True

    def _own(self, text: str | None) -> Term | None:
        """Our move, whose letters may differ in case."""
        alike = [move for move in self.legal if text is not None and str(move).casefold() == text.casefold()]
        return alike[0] if len(alike) == 1 else _term(text)

    def switch(self, machine: Machine) -> None:
        """Go on with another machine."""
        self.belief.switch(machine)
        self._legal = self._state = None


def _term(text: str | None) -> Term | None:
    try:
        return None if text is None else read_term(text)
    except TermError:
        return None


def _terms(texts: Sequence[str]) -> frozenset[Term] | None:
    """Percepts; None where one cannot be read."""
    found = [_term(text) for text in texts]
    return frozenset(term for term in found if term is not None) if None not in found else None
