"""A match as its player sees it, in the process that plays it."""

from __future__ import annotations

from pathlib import Path

from agent.elsewhere.link import Link
from agent.players.base import Game
from agent.protocol.messages import Start
from agent.worker.engines import Engines
from agent.worker.observed_turns import ObservedTurns
from agent.worker.turns import Turns
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.network.storage import Studied
from search.options import SearchOptions


class MatchGame(Game):
    """The game as the player sees it: the turns have its machine and its state."""

    def __init__(self, engines: Engines, turns: Turns, start: Start, socket: str = "") -> None:
        self._engines = engines
        self._start = start
        self._socket = socket  # where other machines are asked; empty: nowhere
        self._link: Link | None = None
        self._turns = turns
        self.observed: ObservedTurns | None = None  # in a match of GDL-II
        super().__init__(turns.machine, turns.role, start.start_clock, start.play_clock)

    @property
    def machine(self) -> Machine:
        """The machine that the turns are played on now."""
        return self._turns.machine

    @property
    def state(self) -> State:
        """The state that the turns have reached, or the likeliest of those possible."""
        return self._turns.state if self.observed is None else self.observed.state

    def elsewhere(self, options: SearchOptions, studied: Studied | None) -> Link | None:
        """Other machines' searches, where there is a cluster."""
        if self._link is None and self._socket:
            start = self._start
            self._link = Link(Path(self._socket), start.rules, self.role, options, start.play_clock)
        if self._link is not None:
            self._link.learn(studied)
        return self._link

    @property
    def belief(self) -> Belief | None:
        """What is known in a match of GDL-II."""
        return None if self.observed is None else self.observed.belief

    @property
    def legal(self) -> tuple[Term, ...]:
        """Our legal moves, as far as they are known."""
        return super().legal if self.observed is None else self.observed.legal

    @property
    def building(self) -> bool:
        """Whether a faster machine may still come."""
        return self._engines.building

    @property
    def unready(self) -> bool:
        """Whether what a search of a hidden game needs is still being compiled, so that none may begin."""
        return self._engines.building and not self._engines.compiled

    def studied(self) -> Studied | None:
        """What was studied of this game, as far as it is found."""
        return self._engines.studied()

    def improve(self, wait: float = 0.0) -> bool:
        """Go on with the circuit when it has become ready; waits up to `wait` seconds for that."""
        improved = self._engines.upgrade(wait)
        if improved:
            self._turns.switch(self._engines.machine)
            if self.observed is not None:
                self.observed.switch(self._engines.machine)
        return improved
