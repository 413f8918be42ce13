"""The player's view of a match."""

from __future__ import annotations

from pathlib import Path

from agent.players.base import Game
from agent.protocol.messages import Start
from agent.remote.link import Link
from agent.worker.engines import Engines
from agent.worker.observed_turns import ObservedTurns
from agent.worker.term_text import view_of
from agent.worker.turns import JointsChange, Turns
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.minimax.lesson import Lesson
from search.network.storage import Model
from search.options import SearchOptions
from search.solver.kept_proofs import KeptProofs

CERTAIN = 1e-6
"""In GDL-II, the page shows a fact if its probability is above 1 minus this value."""
SHOWN_STATES = 200
"""Number of possible states from which the probabilities of facts are estimated."""
RECORD_EVERY, MAX_RECORDED = 16, 50_000
"""Turns between two positions that the journal gets, and their maximum characters."""


class MatchGame(Game):
    """The player's view of the game; the turns provide machine and state."""

    def __init__(self, engines: Engines, turns: Turns, start: Start, socket: str = "") -> None:
        self._engines = engines
        self._start = start
        self._socket = socket  # socket of the cluster; empty: no cluster
        self._link: Link | None = None
        self._turns = turns
        self.observed: ObservedTurns | None = None  # in a match of GDL-II
        self._recorded = 0  # number of joint moves when the journal got the position
        super().__init__(turns.machine, turns.role, start.start_clock, start.play_clock)

    @property
    def machine(self) -> Machine:
        """The current state machine."""
        return self._turns.machine

    @property
    def state(self) -> State:
        """The current state, or the most likely one in GDL-II."""
        return self._turns.state if self.observed is None else self.observed.state

    def recorded(self, change: JointsChange) -> list[str] | None:
        """Return the facts of the position for the journal, every RECORD_EVERY turns; None: the last ones still hold.

        With them, a match that is resumed need not be replayed. If the last position may have been a wrong guess, the
        result is the facts of this one, or [] if they are uncertain or too long.
        """
        made, otherwise = len(self._turns.joints), list[str]() if change.revised else None
        due = change.revised or not 0 <= made - self._recorded < RECORD_EVERY
        if self.machine.hides or self._turns.unsure or not due:
            return otherwise
        self._recorded = made
        facts = list(map(str, self.machine.facts(self._turns.state)))
        return facts if sum(map(len, facts)) <= MAX_RECORDED else otherwise

    def elsewhere(self, options: SearchOptions, studied: Model | None) -> Link | None:
        """Return the link to the searches on other machines, if there is a cluster."""
        if self._link is None and self._socket:
            start = self._start
            self._link = Link(Path(self._socket), start.rules, self.role, options, start.play_clock)
        if self._link is not None:
            self._link.learn(studied)
        return self._link

    @property
    def belief(self) -> Belief | None:
        """The belief state in a match of GDL-II."""
        return None if self.observed is None else self.observed.belief

    @property
    def legal(self) -> tuple[Term, ...]:
        """Our legal moves; in GDL-II, our moves that are legal with the highest probability."""
        return super().legal if self.observed is None else self.observed.legal

    @property
    def building(self) -> bool:
        """Whether a faster machine is still being built."""
        return self._engines.building

    @property
    def unready(self) -> bool:
        """Whether the kernels of the search are still being compiled; no search may start meanwhile."""
        return self._engines.building and not self._engines.compiled

    def studied(self) -> Model | None:
        """Return the stored network of this game, if found."""
        return self._engines.studied().network

    def lesson(self) -> Lesson | None:
        """Return the stored evaluation of this game, if found."""
        return self._engines.studied().lesson

    def proofs(self) -> KeptProofs | None:
        """Return the stored proofs of this game, if found."""
        return self._engines.studied().proofs

    def improve(self, wait: float = 0.0) -> bool:
        """Switch to the circuit when it is ready, waiting up to `wait` seconds; return whether it changed."""
        improved = self._engines.upgrade(wait)
        if improved:
            self._turns.switch(self._engines.machine)
            if self.observed is not None:
                self.observed.switch(self._engines.machine)
        return improved

    def view(self) -> tuple[list[str], bool, list[int | None] | None]:
        """Return the facts, whether the position is terminal, and the goals; in GDL-II only facts that are certain."""
        if self.observed is None:
            return view_of(self.machine, self.state)
        believed = self.observed.belief.facts(SHOWN_STATES)
        return sorted(str(fact) for fact, share in believed.items() if share > 1 - CERTAIN), False, None
