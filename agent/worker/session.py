"""One match inside its process: the rules, the current machine, the turns, the player."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import structlog

from agent.players.base import Player, Turn
from agent.protocol.observation import is_observed, item_of_percepts, observed
from agent.settings import Settings
from agent.worker.blame import blame
from agent.worker.channel import Channel
from agent.worker.engines import Engines, lanes_of
from agent.worker.figures import figures_of
from agent.worker.match_game import MatchGame
from agent.worker.observed_turns import ObservedTurns, fits_no_percepts
from agent.worker.read_start import read_start
from agent.worker.sight import Sight
from agent.worker.start_rules import role_index
from agent.worker.term_text import Joint
from agent.worker.turns import Item, JointsChange, Turns, gaps
from agent.worker.worker_messages import (
    OPENING,
    Answered,
    Applied,
    Begin,
    Choose,
    Offered,
    PlayerFailed,
    Ready,
    Reported,
    Seen,
    Thought,
)
from reasoner.errors import LimitError, ReasonerError
from reasoner.language.terms import Term
from reasoner.platform_calls import resident_memory
from search.clock import Clock

Answer = TypeVar("Answer")

NO_MOVE = "noop"
"""Answer if the rules give no legal move at all."""
REPLAY_SECONDS = 4.0
"""Minimum time to find the moves that were missed, when the moves so far are applied again."""
LOOK_EVERY = 0.2
"""Seconds between two checks of a build while idle."""
TELL_EVERY = 0.4
"""Seconds between two reports of a running search."""


class Session:
    """One match. The constructor reads the rules.

    Raises RefusalError for faulty rules, ReasonerError if a limit is exceeded.
    """

    def __init__(self, command: Begin, player: Player, settings: Settings, channel: Channel, clock: Clock) -> None:
        self._player = player
        self._settings = settings
        self._channel = channel
        self._clock = clock
        self._log = structlog.get_logger()
        self._offered: tuple[int, Term] | None = None  # the last offer and the number of its PLAY
        self.thinking = False  # whether a method of the player is running
        self._told = -math.inf  # time of the last search report
        self._told_engine: dict[str, Any] = {}  # last report of the engine
        self._answered = command.answered  # our last move
        self._chosen = 0  # number of the PLAY for which the last move was chosen
        self._answer_time = math.inf  # time of the last answer to a PLAY
        self._play_clock = float(command.start.play_clock)
        self._asked = 0  # number of the current PLAY; 0 if none is open
        self._behind = False  # whether moves of earlier messages are missing in the state
        self.patience: float | None = 0.0  # seconds to wait for a command before thinking again; None: without limit
        program = read_start(command.start, settings.rules)
        role = role_index(command.start.role, tuple(map(str, program.roles)))
        self._sight = Sight(program)
        self._engines = Engines(program, settings, urgent=player.searches)
        self._turns = self._first_turn(role, command.deadline)
        self._game = MatchGame(self._engines, self._turns, command.start, settings.cluster.socket)

    def start(self, command: Begin) -> None:
        """Apply moves already made, if any, and let the player prepare until the deadline."""
        deadline = command.deadline
        self._behind = not self._replay(command)
        self._answered = self._turns.answered = command.answered
        legal = self._patiently(deadline, lambda: self._game.legal)  # refuse rules that fail to give a legal move
        if self._behind:
            self._log.warning("the moves so far fit no state that was found in time", turn=self._turns.made)
        else:
            self._channel.send(Applied(command.number, 0, self._items, self._hides))
        if legal and not self._items and not self._behind:
            self._channel.send(Offered(OPENING, str(legal[0])))  # the player's `start` may not return
        if not self._settings.clock.use_start:
            deadline = self._clock.now()
        self._guarded(lambda: self._player.start(self._game, self._turn(deadline)), "start")
        if not self._behind:
            self._channel.send(Ready())

    def _replay(self, command: Begin) -> bool:
        """Apply the moves so far. Return False if some of them fit no state that is found in the time.

        An earlier process may have found one, so the server then keeps its list of moves.
        """
        over = self._half_over(max(command.deadline, self._clock.now() + 2 * REPLAY_SECONDS))
        items = [None if item is None else tuple(item) for item in command.joints]
        self._show(again=bool(items))
        applied_before = len(items) - len(command.own)
        own = [*[command.answered] * applied_before, *command.own]
        repeated = [*[False] * (len(items) - len(command.repeated)), *command.repeated]
        known = [
            (own[number], number < applied_before, repeated[number])
            for number, item in enumerate(items)
            if item is not None
        ]
        complete, lossy = True, False
        for (gap, told), (self._answered, fitted, again) in zip(gaps(items), known, strict=True):
            joint, lost = self._sight.read(told), gap and is_observed(told)
            self._turns.answered = self._answered if again else None
            lossy |= gap  # the losses between the messages after a gap were explained together; only the first is noted
            flags = {"repeated": again, "gap": gap, "lost": lost, "lossy": lossy or not fitted}
            take_in = partial(self._turns.apply, joint, **flags, over=over)
            taken = self._tries_moves(joint, over) and self._take_moves(command.deadline, take_in) is not None
            if not taken and (seen := self._percepts(joint)) is not None:
                taken = True
                self._observe(seen, over, repeated=again)
            complete &= taken or not joint or not (fitted or over())
            if not over():
                self._show(again=True)
        return complete

    def play(self, command: Choose) -> None:
        """Answer a PLAY message: apply the moves played, then choose one."""
        self.patience = 0.0
        if command.apply:
            if command.own is not None:  # an offer may have been sent in place of our late answer
                self._answered = self._turns.answered = command.own
            elif self._chosen > command.sent:
                self._answered = self._turns.answered = None
            self._apply(command)
        if self._behind:  # the fallback process answers
            return
        if self._turns.answered is None:
            self._asked = self._chosen = command.number
            self._turns.answered = self._choose(command.number, command.deadline)
            self._asked = 0
        self._answered = self._turns.answered
        self._answer_time = self._clock.now()
        self._channel.send(Answered(command.number, self._turns.answered))
        self._tell(self._player.thinking)
        report = self._guarded(lambda: figures_of(self._player.report()), "report") or {}
        figures = {**report, **lanes_of(self._game.machine)}
        self._channel.send(Reported(self._game.machine.engine, figures, resident_memory()))

    def ponder(self) -> None:
        """Let the player think on the opponents' time until a command arrives or the player returns."""
        if self._game.improve():
            self._guarded(lambda: self._player.changed(self._game), "changed")
        self._tell_engine()
        self._guarded(lambda: self._player.ponder(self._game, self._turn(math.inf)), "ponder")
        self._tell_engine()  # the player may have switched to a faster machine
        self.patience = LOOK_EVERY if self._engines.building else None

    def stop(self, joint: Sequence[str] | None = None) -> None:
        """End the match with the last moves `joint`, if known; stop the player and the circuit build."""
        if joint is not None and self._settings.page.enabled:
            self._guarded(lambda: self._conclude(tuple(joint)))
        self._guarded(lambda: self._player.stop(self._game), "stop")
        self._engines.close()

    @property
    def _items(self) -> Sequence[Item]:
        """The joint moves or percepts received so far."""
        return self._game.observed.items if self._game.observed is not None else self._turns.joints

    @property
    def _hides(self) -> bool:
        """Whether information is hidden, so that messages may contain percepts."""
        return self._game.machine.hides and not self._sight.full

    @property
    def _moves_told(self) -> bool:
        """Whether messages have contained joint moves so far, and not our percepts."""
        return self._game.observed is None and self._turns.made > 0

    def _tries_moves(self, joint: Joint | None, over: Callable[[], bool]) -> bool:
        """Whether a list is tried as a joint move before it is read as our percepts."""
        if not joint or is_observed(joint):
            return False
        known, answered = self._game.observed, self._answered
        return not self._hides or self._moves_told or fits_no_percepts(joint, self._turns, known, answered, over)

    def _take_moves(self, deadline: float, take_in: Callable[[], JointsChange | None]) -> JointsChange | None:
        """Apply a joint move by `take_in`; from then on, messages are not read as percepts. None if this fails."""
        applied = self._patiently(deadline, take_in)
        if applied is not None:
            self._game.observed = None
        return applied

    def _percepts(self, joint: Joint | None) -> tuple[str, ...] | None:
        """Return a list as the stored form of our percepts (`observation`); None if no information is hidden.

        The public GameController sends only percepts in place of joint moves.
        """
        if joint is not None and is_observed(joint):
            return joint
        if not self._hides or (joint is None and self._items):
            return None
        if joint is None:
            return item_of_percepts(0, None, ())
        told = self._game.observed.items if self._game.observed is not None else []
        return item_of_percepts(observed(told[-1]).turn + 1 if told else 1, self._answered, joint)

    def _observe(self, item: Sequence[str], over: Callable[[], bool], *, repeated: bool) -> None:
        """Apply an observation, unless its turn is already known; if its message is `repeated`, it may be the last."""
        game = self._game
        if game.observed is None:
            game.observed = ObservedTurns(game.machine, game.role)
        elif repeated and game.observed.is_repetition(item, over):
            return
        if game.observed.apply(item, over, self._answered):
            self._turns.answered = None
            self._guarded(lambda: self._player.changed(game), "changed")

    def _turn(self, deadline: float, offer: Callable[[Term], None] = lambda _: None) -> Turn:
        return Turn(deadline, self._clock, self._channel.waiting, offer, self._tell_sometimes)

    def _show(self, *, again: bool = False) -> None:
        """Send the position to the page; `again` if another process may have sent it already."""
        if not self._settings.page.enabled:
            return
        try:
            view = self._game.view()
        except ReasonerError as error:
            self._log.debug("the position cannot be shown", reason=str(error))
        else:
            turns, machine = self._turns, self._game.machine
            last = turns.joints[-1] if turns.joints else ()
            made = turns.made if self._game.observed is None else self._game.observed.belief.turns
            seen = Seen(made, last or (), *view, list(map(str, machine.roles)), self._game.role, again)
            self._channel.send(seen)

    def _conclude(self, joint: tuple[str, ...]) -> None:
        """Show the final position, reached by the moves of the last message."""
        told = self._sight.read(joint)
        if told and not is_observed(told) and self._turns.apply(told, repeated=False, ended=True) is not None:
            self._show()

    def _tell_sometimes(self, look: Callable[[], Mapping[str, object]]) -> None:
        if self._clock.now() >= self._told + TELL_EVERY:
            self._tell(look)

    def _tell(self, look: Callable[[], Mapping[str, object]]) -> None:
        """Send the player's search figures to the page."""
        if self._settings.page.enabled:
            self._told = self._clock.now()
            self._told_engine = self._engines.told
            figures = dict(self._guarded(lambda: figures_of(look()), "thinking") or {})
            figures |= {**self._told_engine, **lanes_of(self._game.machine)}
            self._channel.send(Thought(self._turns.made, figures))

    def _tell_engine(self) -> None:
        """Send the state of the engine to the page if it has changed."""
        if self._settings.page.enabled and self._engines.told != self._told_engine:
            self._told_engine = self._engines.told
            self._channel.send(Thought(self._turns.made, self._told_engine))

    def _apply(self, command: Choose) -> None:
        joint = self._sight.read(None if command.joint is None else tuple(command.joint))
        over = self._half_over(command.deadline)
        again = joint is None and bool(self._items)  # NIL restarts the match
        if again:
            self._game.observed = None
        moves = self._tries_moves(joint, over)
        if not moves and self._take_percepts(command, joint, over):
            return
        soon = self._clock.now() < self._answer_time + self._play_clock
        lost = command.gap and is_observed(command.joint)  # by its turn number
        flags = {"repeated": command.repeated, "gap": command.gap, "lost": lost, "lossy": True, "soon": soon}
        applied = self._take_moves(command.deadline, partial(self._turns.apply, joint or None, **flags, over=over))
        illegal = applied is None and moves  # as a repeated joint move may be, whose list can be percepts
        if illegal and self._take_percepts(command, joint, over):
            return
        if applied is None:
            self._log.error("the moves are legal in no known state; the state is unchanged", moves=str(joint))
            return
        self._behind = False
        position = self._game.recorded(applied)
        self._channel.send(Applied(command.number, applied.keep, applied.added, self._hides, position))
        self._offer_early(command)
        self._show()
        if applied.terms is not None:
            terms = applied.terms
            self._guarded(lambda: self._player.moved(self._game, terms), "moved")
        elif again:
            self._guarded(lambda: self._player.changed(self._game), "changed")
        elif applied.added:
            guessed = None in applied.added and not command.gap
            self._log.warning(
                "the moves are legal only after moves that no message told; the state is guessed"
                if guessed
                else "the moves are legal only under another interpretation of earlier messages",
                turns=self._turns.made,
                states=len(self._turns.states),
            )
            self._guarded(lambda: self._player.changed(self._game), "changed")

    def _take_percepts(self, command: Choose, joint: Joint | None, over: Callable[[], bool]) -> bool:
        """Apply a message as percepts; return False if it contains none."""
        seen = self._percepts(joint)
        if seen is None:
            return False
        known = self._game.observed
        before = len(self._items) if known is not None else 0
        self._observe(seen, over, repeated=command.repeated)
        self._behind = False
        self._channel.send(Applied(command.number, before, tuple(self._items[before:]), self._hides))
        self._show()
        return True

    def _choose(self, number: int, deadline: float) -> str:
        legal = self._patiently(deadline, lambda: self._game.legal)
        if not legal:
            self._log.error("the rules give no legal move in this state", turn=self._turns.made)
            return NO_MOVE

        def offer(move: Term) -> None:
            if move in legal:
                self._offer(number, move)

        offer(legal[0])
        if self._turns.unsure and self._game.observed is None:
            legal = self._favourites(deadline)
            offer(legal[0])
        played = self._guarded(lambda: str(self._player.play(self._game, self._turn(deadline, offer))), "play")
        if played is not None:
            if played in map(str, legal):
                return played
            if not self._turns.unsure:
                self._log.error("the player chose an illegal move", move=played, question=number)
        assert self._offered is not None  # a legal move, before the player was asked
        return str(self._offered[1])

    def _offer_early(self, command: Choose) -> None:
        """Offer a legal move at once; in a large game the player may not have time even to take in the moves."""
        if legal := self._patiently(command.deadline, lambda: self._game.legal):
            self._offer(command.number, legal[0])

    def _offer(self, number: int, move: Term) -> None:
        if (number, move) != self._offered:
            self._offered = number, move
            self._channel.send(Offered(number, str(move)))

    def _favourites(self, deadline: float) -> tuple[Term, ...]:
        """Return our moves that are legal in most of the possible states."""
        moves = self._patiently(deadline, lambda: self._turns.favourites(self._half_over(deadline)))
        self._log.warning("several states are possible", states=len(self._turns.states), moves=len(moves))
        return moves

    def _half_over(self, deadline: float) -> Callable[[], bool]:
        """Return a function that says whether half of the time from now to `deadline` has passed."""
        half = (self._clock.now() + deadline) / 2
        return lambda: self._clock.now() > half

    def _first_turn(self, role: int, deadline: float) -> Turns:
        try:
            return Turns(self._engines.machine, role)
        except LimitError:
            if not self._engines.upgrade(deadline - self._clock.now()):
                self._engines.close()
                raise
            return Turns(self._engines.machine, role)

    def _patiently(self, deadline: float, question: Callable[[], Answer]) -> Answer:
        """Return `question()`; past a limit of the relational machine, retry with the circuit when it is ready."""
        while True:
            try:
                return question()
            except LimitError:
                if not self._game.improve(deadline - self._clock.now()):
                    raise
                self._guarded(lambda: self._player.changed(self._game), "changed")

    def _guarded(self, call: Callable[[], Answer], during: str = "") -> Answer | None:
        """Return the result of a player's method; None if it raises, so that the match continues."""
        before, self.thinking = self.thinking, True
        try:
            return call()
        except BaseException as error:  # players are third-party code
            self._log.exception("the player failed", question=self._asked, **blame(error, self._player, during))
            self._channel.send(PlayerFailed())
            return None
        finally:
            self.thinking = before
