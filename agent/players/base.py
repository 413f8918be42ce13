"""The base class of players, and what a player is given.

To write one, derive from `Player`, define `play`, and name it on the command line as ``module:Class``::

    class Greedy(Player):
        def play(self, game, turn):
            return max(game.legal, key=lambda move: len(str(move)))

All methods run in the match's own process, one at a time. A player that raises, answers too late or answers an
illegal move loses nothing but that choice: the agent answers the last move offered, or the first legal one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock

if TYPE_CHECKING:  # it loads kernels, and a player is described without
    from search.belief.belief import Belief
    from search.network.storage import Studied
    from search.options import SearchOptions
    from search.root.remote import Elsewhere


class Game:
    """The match as a player sees it: the rules as a state machine, the state now, and one's own role."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        start_clock: float = 0.0,
        play_clock: float = 0.0,
        state: State | None = None,  # the initial one, if not given
    ) -> None:
        self._machine = machine
        self._state: State = machine.initial() if state is None else state
        self.role = role  # index into machine.roles
        self.start_clock = start_clock  # seconds
        self.play_clock = play_clock

    @property
    def machine(self) -> Machine:
        """The rules as a state machine; it may be replaced by a faster one between turns, and by `improve`."""
        return self._machine

    @property
    def state(self) -> State:
        """The state now, a state of `machine`."""
        return self._state

    @property
    def belief(self) -> Belief | None:
        """In a match of GDL-II what one knows of the state, of which `state` is then the likeliest; else None."""
        return None

    @property
    def legal(self) -> tuple[Term, ...]:
        """One's own legal moves now."""
        return self.machine.legal(self.state)[self.role]

    @property
    def building(self) -> bool:
        """Whether a faster machine may still come."""
        return False

    @property
    def unready(self) -> bool:
        """Whether what a search of a hidden game needs is still being compiled, so that none may begin."""
        return False

    def elsewhere(self, options: SearchOptions, studied: Studied | None) -> Elsewhere | None:  # noqa: ARG002 as below
        """Searches of the match on other machines, with what was `studied`; None where there are none."""
        return None

    def studied(self) -> Studied | None:
        """What was studied of this game before; None where nothing was, and until it is found. Costs nothing to ask."""
        return None

    def improve(self, wait: float = 0.0) -> bool:  # noqa: ARG002 where there is one machine, none is waited for
        """Take a faster machine when one has become ready, and say whether; states of the old one are then void.

        Worth calling now and then while thinking for long. It is called between turns anyway. A player that needs the
        faster machine may wait so many seconds for it.
        """
        return False


class Turn:
    """The time that may be thought, and whom to tell a move."""

    def __init__(
        self,
        deadline: float,
        clock: Clock,
        interrupted: Callable[[], bool] = lambda: False,
        offer: Callable[[Term], None] = lambda _: None,
        tell: Callable[[Callable[[], Mapping[str, object]]], None] = lambda _: None,
    ) -> None:
        self.deadline = deadline  # in seconds of `clock`; infinite when thinking on the others' time
        self.clock = clock
        self.interrupted = interrupted  # whether a message waits, and this thinking has no further use
        self.offer = offer  # tells the move to be played if nothing better comes in time
        self.tell = tell  # shows what is thought, now and then: calls what it is given when it is time to look again

    def left(self) -> float:
        """Seconds until the answer is due."""
        return self.deadline - self.clock.now()

    def over(self) -> bool:
        """Whether to return now."""
        return self.left() <= 0 or self.interrupted()


class Player:
    """One player in one match. All methods but `play` may be left as they are."""

    def limit(self, simulations: int) -> None:
        """Before anything else: think no longer than so many simulations a move (0: as usual), to play less well."""

    def start(self, game: Game, turn: Turn) -> None:
        """The match begins; prepare until the turn is over, or return sooner."""

    def play(self, game: Game, turn: Turn) -> Term | str:
        """The move to play in `game.state`, before `turn.deadline`: a term of `game.legal`, or its text."""
        raise NotImplementedError  # the one method that every player must bring

    def moved(self, game: Game, joint: tuple[Term, ...]) -> None:
        """Everyone has moved; `game.state` is the new state already."""

    def changed(self, game: Game) -> None:
        """The machine was replaced, or the state is not the one expected: forget what was derived from states."""

    def ponder(self, game: Game, turn: Turn) -> None:
        """Think on the others' time until the turn is over, or return sooner."""

    def stop(self, game: Game) -> None:
        """The match is over."""

    def report(self) -> Mapping[str, float | str]:
        """Figures about the last move, for the log and INFO: ``playouts``, ``seconds``, ``value`` ..."""
        return {}

    def thinking(self) -> Mapping[str, object]:
        """What the page shows of the thinking; agent/players/thinking.py names what it knows to draw."""
        return self.report()
