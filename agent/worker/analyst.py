"""Position analysis for the page: legal moves, successors, and the player's search.

The client numbers the positions. A new position is defined by an earlier position and a joint move, by its facts, or by
an earlier position with another role to move. The player searches one position at a time, until the next command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog
from msgspec.structs import replace

from agent.players.base import Game, Player, Turn
from agent.settings import Settings
from agent.worker.cause import cause
from agent.worker.channel import Channel
from agent.worker.engines import Engines, lanes_of
from agent.worker.figures import figures_of
from agent.worker.term_text import moves_to_show, spelled, stuck, view_of
from agent.worker.viewing import first_view
from agent.worker.worker_messages import Examine, Position, RefereeEvent, RefereeFailed, Think, Thought
from reasoner.errors import ReasonerError
from reasoner.language.terms import Compound, Constant, Term
from reasoner.machine import Machine, State
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from search.clock import Clock
from search.minimax.lesson import Lesson
from search.network.storage import Model

TELL_EVERY = 0.4
"""Seconds between two reports of a search."""


class Analyst:
    """Positions of one game, and a search of one position. Raises ReasonerError if the rules cannot be evaluated."""

    def __init__(
        self, program: Program, settings: Settings, make_player: Callable[[], Player], channel: Channel, clock: Clock
    ) -> None:
        self._machine = RelationalMachine(program, EvaluationLimits(max_seconds=settings.worker.evaluation))
        self._program = program
        self._settings = settings
        self._engines: Engines | None = None  # created at the first search: no circuit is needed before
        self._make_player = make_player
        self._channel = channel
        self._clock = clock
        self._states: dict[int, tuple[int, State]] = {}  # by number: joint moves up to the state, and the state
        self._thinking: _Thinking | None = None

    def close(self) -> None:
        """End a circuit build that still runs."""
        if self._engines is not None:
            self._engines.close()

    def examine(self, command: Examine) -> RefereeEvent:
        """Return the requested position, or the reason why it does not exist."""
        try:
            return self._examined(command)
        except ReasonerError as error:
            return RefereeFailed(str(error))

    def think(self, command: Think) -> None:
        """Start the search of a position, or stop if the command names none; the previous search ends."""
        self._thinking = None
        if command.node is None or command.node not in self._states:
            return
        if not self._machine.terminal(self._states[command.node][1]):
            deadline = self._clock.now() + command.seconds
            self._thinking = _Thinking(command.node, command.role, deadline, command.simulations)

    @property
    def patience(self) -> float | None:
        """Seconds to wait for a command before the search goes on: 0, or None (no limit) if nothing is searched."""
        return None if self._thinking is None else 0.0

    def go_on(self) -> None:
        """Search until a command arrives, the time is over, or the position is solved."""
        thinking, self._thinking = self._thinking, None
        if thinking is None:
            return
        try:
            self._think_on(thinking)
        except BaseException:  # players are third-party code; the next position gets a new player
            structlog.get_logger().exception("the player failed in analysis")
            self._tell(thinking, {}, done=True)

    def _think_on(self, thinking: _Thinking) -> None:
        engines = self._engines = self._engines or Engines(self._program, self._settings)
        player = self._make_player()
        player.limit(thinking.simulations)
        game = _AnalysedGame(engines, self._machine, self._states[thinking.node][1], thinking.role)
        self._tell(thinking, {}, **engines.told)

        def tell(look: Callable[[], Mapping[str, object]]) -> None:
            if self._clock.now() >= thinking.told + TELL_EVERY:
                self._tell(thinking, look(), **engines.told, **lanes_of(game.machine))

        player.start(game, Turn(thinking.deadline, self._clock, self._channel.waiting, tell=tell))
        done = not self._channel.waiting()
        self._tell(thinking, player.thinking(), **engines.told, **lanes_of(game.machine), done=done)
        player.stop(game)

    def _tell(self, thinking: _Thinking, figures: Mapping[str, object], **more: object) -> None:
        thinking.told = self._clock.now()
        told = {**figures_of(figures), **more, "role": thinking.role}
        self._channel.send(Thought(thinking.node, told))

    def _examined(self, command: Examine) -> Position:
        step, joint, state = self._reached(command)
        position = self._position(step, joint, state)
        self._states[command.node] = step, state
        if position.terminal and command.joint is not None:
            position = replace(position, cause=cause(self._machine, state, self._states[command.parent][1]))
        return replace(position, **first_view(self._program, 0)) if command.facts is not None else position

    def _reached(self, command: Examine) -> tuple[int, tuple[str, ...], State]:
        machine = self._machine
        if command.facts is not None:
            return 0, (), machine.state(command.facts) if command.facts else machine.initial()
        before, state = self._states[command.parent]
        if command.joint is None:
            return before, (), _others_turn(machine, state)
        terms = spelled(tuple(command.joint), machine.legal(state))
        if terms is None or machine.terminal(state):
            raise ReasonerError("these moves are not legal in that position")
        return before + 1, tuple(map(str, terms)), machine.next(state, terms)

    def _position(self, step: int, joint: Sequence[str], state: State) -> Position:
        view = view_of(self._machine, state)
        legal = [] if view.terminal else moves_to_show(self._machine.legal(state))
        if not all(legal):
            raise ReasonerError(stuck(self._machine.roles, legal, "in this position"))
        return Position(step, joint, *view, legal)


@dataclass
class _Thinking:
    """The search that is running."""

    node: int
    role: int
    deadline: float
    simulations: int
    told: float = 0.0  # time of the last report


class _AnalysedGame(Game):
    """The player's view of one position, on the fastest machine available."""

    def __init__(self, engines: Engines, relational: Machine, state: State, role: int) -> None:
        self._engines = engines
        engines.upgrade()
        self._facts = relational.facts(state)
        super().__init__(engines.machine, role, state=engines.machine.state(self._facts))

    def studied(self) -> Model | None:
        """Return the stored network of this game, if found."""
        return self._engines.studied().network

    def lesson(self) -> Lesson | None:
        """Return the stored evaluation of this game, if found."""
        return self._engines.studied().lesson

    def improve(self, wait: float = 0.0) -> bool:
        """Switch to the circuit when it is ready."""
        improved = self._engines.upgrade(wait)
        if improved:
            self._machine = self._engines.machine
            self._state = self._machine.state(self._facts)
        return improved


def _others_turn(machine: Machine, state: State) -> State:
    """Return the position with another role to move, found by changing the role in one fact.

    Raises ReasonerError if no such position gives every role a legal move.
    """
    facts = machine.facts(state)
    movers = _movers(machine, state)
    for fact in sorted(facts, key=str):
        for other in _renamed(fact, machine.roles):
            there = machine.state([*(facts - {fact}), other])
            if not machine.terminal(there) and all(machine.legal(there)) and _movers(machine, there) != movers:
                return there
    raise ReasonerError("no fact of this position says whose turn it is")


def _renamed(fact: Term, roles: Sequence[str]) -> list[Term]:
    """Return copies of a fact whose only argument is a role, one copy for each other role; else nothing."""
    if not isinstance(fact, Compound) or len(fact.arguments) != 1 or str(fact.arguments[0]) not in roles:
        return []
    named = str(fact.arguments[0])
    return [Compound(fact.functor, (Constant(role),)) for role in roles if role != named]


def _movers(machine: Machine, state: State) -> list[int]:
    return [role for role, moves in enumerate(machine.legal(state)) if len(moves) > 1]
