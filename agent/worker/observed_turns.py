"""Turns of a GDL-II match as one role observes them."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from agent.protocol.observation import item_of_missed, missed_turns, observed
from agent.worker.term_text import Joint, spelled
from agent.worker.turns import Turns
from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.propagation import Over
from search.belief.state_set import Observation


class ObservedTurns:
    """The observations in the messages so far, and the belief state after them."""

    def __init__(self, machine: Machine, role: int) -> None:
        self.belief = Belief(machine, role)
        self.items: list[tuple[str, ...]] = []
        self._turn: int | None = None  # turn number of the last message
        self._legal: tuple[Term, ...] | None = None
        self._state: State | None = None

    @property
    def legal(self) -> tuple[Term, ...]:
        """Our moves that are legal with the highest probability."""
        if self._legal is None:
            self._legal = self.belief.favourites()
        return self._legal

    @property
    def state(self) -> State:
        """The most likely state."""
        if self._state is None:
            self._state = self.belief.likeliest()
        return self._state

    def apply(self, item: Sequence[str], over: Over = lambda: False, answered: str | None = None) -> bool:
        """Apply a message; return False if its turn is already known. `answered`: our answer before it."""
        told = observed(item)
        if self._turn is not None and told.turn <= self._turn:
            return False
        if self._turn is not None and answered is not None and missed_turns(self._turn, told.turn)[0]:
            self.apply(item_of_missed(self._turn + 1, answered), over)
        before = self._turn
        missed, self._turn = missed_turns(before or 0, told.turn)
        self.items.append(tuple(item))
        if told.move is None and before is None and not (told.asked and told.percepts):
            return True  # the first message: no move was made yet; percepts alone show that the first message was lost
        for _ in range(missed):
            self.belief.observe(Observation(None, None), over)
        percepts = None if told.missed else _terms(told.percepts)
        self.belief.observe(Observation(self._own(told.move), percepts, told.asked or told.missed), over)
        if not self.belief.alive:
            structlog.get_logger().warning("no state agrees with the percepts", turn=told.turn)
        self._legal = self._state = None
        return True

    def is_repetition(self, item: Sequence[str], over: Over = lambda: False) -> bool:
        """Whether percepts without a turn, equal to the last ones, are the same message: no move can bring them now."""
        told = observed(item)
        return told.asked and not self.belief.fits(Observation(None, _terms(told.percepts)), over)

    def _own(self, text: str | None) -> Term | None:
        """Return our legal move with this text, ignoring case; else the text as a term."""
        alike = [move for move in self.legal if text is not None and str(move).casefold() == text.casefold()]
        return alike[0] if len(alike) == 1 else _term(text)

    def switch(self, machine: Machine) -> None:
        """Switch to another machine."""
        self.belief.switch(machine)
        self._legal = self._state = None


def _term(text: str | None) -> Term | None:
    try:
        return None if text is None else read_term(text)
    except TermError:
        return None


def _terms(texts: Sequence[str]) -> frozenset[Term] | None:
    """Parse percepts; return None if one cannot be parsed."""
    found = [_term(text) for text in texts]
    return frozenset(term for term in found if term is not None) if None not in found else None


def fits_no_percepts(
    told: Joint, turns: Turns, known: ObservedTurns | None, answered: str | None, over: Over = lambda: False
) -> bool:
    """Whether a list with an entry per role is probably no list of our percepts, but a joint move.

    This is decided by the first list, and again if no state agrees with the percepts so far. The joint move may be
    illegal in the known state, because messages before it may have been lost.
    """
    if len(told) != len(turns.machine.roles):
        return False
    if known is not None and len(known.items) > 1:
        return not known.belief.alive
    if turns.made:
        return spelled(told, turns.machine.legal(turns.state)) is not None
    return not _visible(told, turns, answered, over)


def _visible(percepts: Joint, turns: Turns, answered: str | None, over: Over) -> bool:
    """Whether our role can have these percepts after the first joint move. Percepts are a set, so none comes twice."""
    if len(set(percepts)) < len(percepts):
        return False
    own = None if answered is None else read_term(answered)
    seen = Observation(own, frozenset(map(read_term, percepts)), asked=True)
    return bool(Belief(turns.machine, turns.role).spread(seen, over))
