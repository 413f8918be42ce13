"""Base class of players, and the objects passed to a player.

To write a player, derive from `Player`, define `play`, and pass it on the command line as ``module:Class``::

    class Greedy(Player):
        def play(self, game, turn):
            return max(game.legal, key=lambda move: len(str(move)))

All methods run in the match's worker process, one at a time. If a player raises an exception, is late or returns an
illegal move, the agent answers with the last move that the player offered, or the first legal move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock

if TYPE_CHECKING:  # imported only by type checkers, because these modules load kernels
    from search.belief.belief import Belief
    from search.minimax.lesson import Lesson
    from search.network.storage import Model
    from search.options import SearchOptions
    from search.root.remote import Elsewhere
    from search.solver.kept_proofs import KeptProofs


class Game:
    """The match as a player sees it: the state machine, the current state, and the player's role."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        start_clock: float = 0.0,
        play_clock: float = 0.0,
        state: State | None = None,  # default: the initial state
    ) -> None:
        self._machine = machine
        self._state: State = machine.initial() if state is None else state
        self._role = role
        self.start_clock = start_clock  # seconds
        self.play_clock = play_clock

    @property
    def machine(self) -> Machine:
        """The state machine; a faster one may replace it between turns, and in `improve`."""
        return self._machine

    @property
    def state(self) -> State:
        """The current state, a state of `machine`."""
        return self._state

    @property
    def role(self) -> int:
        """The player's role, an index into `machine.roles`."""
        return self._role

    @property
    def belief(self) -> Belief | None:
        """In GDL-II, the belief about the state (`state` is then the likeliest one); else None."""
        return None

    @property
    def legal(self) -> tuple[Term, ...]:
        """The player's legal moves."""
        return self.machine.legal(self.state)[self.role]

    @property
    def building(self) -> bool:
        """Whether a faster machine is still being built."""
        return False

    @property
    def unready(self) -> bool:
        """Whether the kernels for imperfect information are still being compiled, so that no search can start."""
        return False

    def elsewhere(self, options: SearchOptions, studied: Model | None) -> Elsewhere | None:  # noqa: ARG002 as below
        """Return the search of this match on other machines, with the network `studied`; None without a cluster."""
        return None

    def studied(self) -> Model | None:
        """Return the studied network of this game; None if there is none, or if it is not found yet. Never waits."""
        return None

    def lesson(self) -> Lesson | None:
        """Return the studied evaluation of this game, likewise; None if there is a network."""
        return None

    def proofs(self) -> KeptProofs | None:
        """Return what a solver has proven in this game before, likewise."""
        return None

    def improve(self, wait: float = 0.0) -> bool:  # noqa: ARG002 there is only one machine here
        """Switch to a faster machine if one is ready; return whether the machine changed.

        States of the old machine then become invalid.

        Call this method now and then during a long search. The agent also calls it between turns. Waits at most `wait`
        seconds for the faster machine.
        """
        return False


class Turn:
    """The time for a turn, and callbacks to report moves."""

    def __init__(
        self,
        deadline: float,
        clock: Clock,
        interrupted: Callable[[], bool] = lambda: False,
        offer: Callable[[Term], None] = lambda _: None,
        tell: Callable[[Callable[[], Mapping[str, object]]], None] = lambda _: None,
    ) -> None:
        self.deadline = deadline  # in seconds of `clock`; infinite while pondering
        self.clock = clock
        self.interrupted = interrupted  # returns whether a message is waiting, so that the search should stop
        self.offer = offer  # sets the move to play if nothing better is found in time
        self.tell = tell  # shows the search on the page: calls its argument when an update is due

    def left(self) -> float:
        """Seconds until the answer is due."""
        return self.deadline - self.clock.now()

    def over(self) -> bool:
        """Whether the player must return now: the time is up, or a message is waiting."""
        return self.left() <= 0 or self.interrupted()


class Player:
    """One player in one match. Only `play` must be overridden.

    `searches` says whether the player looks ahead. If it does not, the circuit is built only in processor time that no
    other process needs.
    """

    searches = True

    def limit(self, simulations: int) -> None:
        """Limit the simulations per move (0: no limit), to play weaker. Called first."""

    def start(self, game: Game, turn: Turn) -> None:
        """Prepare for the match until the turn is over, or return earlier."""

    def play(self, game: Game, turn: Turn) -> Term | str:
        """Return the move for `game.state` before `turn.deadline`: a term of `game.legal`, or its text."""
        raise NotImplementedError  # every player must define it

    def moved(self, game: Game, joint: tuple[Term, ...]) -> None:
        """Handle a joint move; `game.state` is already the new state."""

    def changed(self, game: Game) -> None:
        """Discard everything derived from states: the machine was replaced, or the state is unexpected."""

    def ponder(self, game: Game, turn: Turn) -> None:
        """Think on the opponents' time until the turn is over, or return earlier."""

    def stop(self, game: Game) -> None:
        """Handle the end of the match."""

    def report(self) -> Mapping[str, float | str]:
        """Return figures of the last move for the log and INFO: ``playouts``, ``seconds``, ``value`` ..."""
        return {}

    def thinking(self) -> Mapping[str, object]:
        """Return data for the page; agent/players/thinking.py lists the keys that it displays."""
        return self.report()
