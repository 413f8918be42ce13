"""One match: START, PLAY until the state is terminal, STOP; illegal and missing moves are replaced at random.

Each message is sent to all players at the same time. An answer counts if it is complete within the clock, which starts
when the message is sent. Unlike ggp-base, this manager gives no second of grace. The rules are evaluated in a separate
thread, so that slow rules of any match do not delay the receipt of answers.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from agent.errors import ProtocolError
from agent.gamemaster.errors import DeadEndError, PlayerError, UnplayableError
from agent.gamemaster.player import LateError, LostError
from agent.gamemaster.records import MatchRecord, Row, spaced, state_text
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.scramble import Scrambler
from agent.logs import escaped
from agent.protocol.messages import Abort, ImperfectPlay, Message, Play, Start, Stop
from agent.protocol.read import read_move
from agent.protocol.write import BUSY
from reasoner.errors import ReasonerError
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.chance import CHANCE

STOP_SECONDS = 10.0
"""Seconds for the answer to STOP. A player may need seconds to clean up, and one that handles messages one after the
other would otherwise receive the next START too late."""
ABORT_SECONDS = 2.0
REFUSED = "IL refused"
"""Error code of a player that refused a match."""


Found = TypeVar("Found")

JUDGE = ThreadPoolExecutor(1, thread_name_prefix="judge")
"""The thread that evaluates rules, one query at a time."""

Seen = tuple[tuple[Term, ...], ...]
"""The sorted percepts of each role after a joint move."""
Answer = str | LateError | LostError | None
"""The answer of a seat to a message: a text, an error, or None for the chance role."""


class SeatedPlayer(Protocol):
    """The player of a role."""

    @property
    def name(self) -> str:
        """The player's name in records."""

    async def ask(self, message: Message, seconds: float) -> str:
        """Send a message and return the answer. Raises LateError, LostError."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Parameters of a match. Clocks in seconds; `seats` has None for the chance role.

    After `max_steps` steps the match is aborted (0: never). `wall` returns seconds since 1970.
    """

    match_id: str
    rulesheet: Rulesheet
    machine: Machine
    seats: tuple[SeatedPlayer | None, ...]
    start_clock: float
    play_clock: float
    wall: Callable[[], float]
    max_steps: int = 0
    seed: int | str = 0
    scrambler: Scrambler = field(default_factory=Scrambler)


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One joint move, its errors (a row of a match record), and the facts of the next state."""

    number: int
    moves: tuple[Term, ...]
    errors: Row
    facts: frozenset[Term]


class ManagedMatch:
    """A match in progress. `record()` returns its current record."""

    def __init__(
        self,
        setup: MatchSetup,
        on_step: Callable[[PlayedStep], Awaitable[None]] | None = None,
    ) -> None:
        self._setup = setup
        self._on_step = on_step
        self._rng = random.Random(f"{setup.seed} moves")
        self._token = f"{random.Random(f'{setup.seed} {setup.match_id}').getrandbits(128):032x}"
        self._start_time = self._now()
        self._state: State
        self._states: list[str] = []
        self._times: list[int] = []
        self._moves: list[tuple[Term, ...]] = []
        self._percepts: list[Seen] = []  # with `sees`, one per joint move
        self._errors: list[Row] = []
        self._goals: tuple[int | None, ...] = ()
        self._aborted = False

    async def play(self) -> MatchRecord:
        """Play to the end.

        Raises PlayerError if a player refuses START, UnplayableError if the rules cannot be applied to a state, and its
        subclass DeadEndError if a role has no legal move. On any error or cancellation, send ABORT to the players and
        re-raise.
        """
        try:
            machine = self._setup.machine
            self._enter(*await self._judged(self._initial))
            await self._start()
            while not (over := await self._judged(lambda: machine.terminal(self._state))) and not self._cut():
                await self._step()
            if over:
                self._goals = await self._judged(lambda: machine.goal(self._state))
                await self._ask(lambda index: self._turn_message(index, stop=True), STOP_SECONDS)
            else:
                await self._abort()
        except BaseException:  # without ABORT, players would continue the match until a time-out
            await asyncio.shield(self._abort())
            raise
        return self.record()

    def record(self) -> MatchRecord:
        """Return the record of the match so far."""
        setup = self._setup
        return MatchRecord(
            match_id=setup.match_id,
            random_token=self._token,
            start_time=self._start_time,
            start_clock=setup.start_clock,
            play_clock=setup.play_clock,
            game_url=setup.rulesheet.url,
            states=tuple(self._states),
            state_times=tuple(self._times),
            moves=tuple(tuple(map(spaced, joint)) for joint in self._moves),
            errors=tuple(self._errors),
            player_names=tuple(seat.name if seat else CHANCE for seat in setup.seats),
            goals=self._goals,
            percepts=tuple(tuple(tuple(map(spaced, own)) for own in seen) for seen in self._percepts),
            completed=bool(self._goals),
            aborted=self._aborted,
            scrambled=bool(setup.scrambler.names),
            game=setup.rulesheet.name,
            roles=setup.machine.roles,
            rules=setup.rulesheet.text,
        )

    def _cut(self) -> bool:
        return 0 < self._setup.max_steps <= len(self._moves)

    async def _start(self) -> None:
        setup = self._setup
        rules = setup.scrambler.rules(setup.rulesheet.text)

        def message(index: int) -> Message:
            role = setup.scrambler.name(setup.machine.roles[index])
            return Start(setup.match_id, role, rules, setup.start_clock, setup.play_clock)

        answers = await self._ask(message, setup.start_clock)
        self._errors.append(tuple(_start_error(answer) for answer in answers))
        named = zip(setup.seats, self._errors[0], strict=True)
        if refused := dict.fromkeys(seat.name for seat, error in named if seat and error == REFUSED):
            raise PlayerError(
                f"{' and '.join(refused)} refused START of match {setup.match_id} with busy or an error. "
                "The log of an agent has the reason. A player needs a match slot for each of its seats in all "
                "simultaneous matches (server.matches)."
            )

    async def _step(self) -> None:
        setup = self._setup
        legal = await self._judged(lambda: setup.machine.legal(self._state))
        for role, moves in zip(setup.machine.roles, legal, strict=True):
            if not moves:
                steps = len(self._moves)
                raise DeadEndError(f"the role {role} has no legal move after {steps} steps, and the game is not over.")
        answers = await self._ask(self._turn_message, setup.play_clock)
        judged = [self._judge(answer, moves) for answer, moves in zip(answers, legal, strict=True)]
        moves = tuple(move for move, _ in judged)
        state, facts, percepts = await self._judged(lambda: self._after(moves))
        if setup.machine.hides:
            self._percepts.append(percepts)
        self._moves.append(moves)
        self._errors.append(tuple(error for _, error in judged))
        self._enter(state, facts)
        if self._on_step:
            await self._on_step(PlayedStep(len(self._moves), self._moves[-1], self._errors[-1], facts))

    def _judge(self, answer: Answer, legal: Sequence[Term]) -> tuple[Term, str]:
        """Return the move of an answer and its error code; replace a wrong answer by a random legal move."""
        if isinstance(answer, str):
            scrambler = self._setup.scrambler
            texts = {str(scrambler.term(move)): move for move in legal}
            move = texts.get(_move_text(answer))
            return (move, "") if move is not None else (self._rng.choice(legal), f"IL {self._shown(answer)}".strip())
        return self._rng.choice(legal), _error(answer)

    def _shown(self, answer: str) -> str:
        """Format an illegal answer in the rulesheet's words, on one short line without control characters."""
        return escaped(self._setup.scrambler.inverse().rules(answer)[:200])

    def _initial(self) -> tuple[State, frozenset[Term]]:
        state = self._setup.machine.initial()
        return state, self._setup.machine.facts(state)

    def _after(self, moves: tuple[Term, ...]) -> tuple[State, frozenset[Term], Seen]:
        machine = self._setup.machine
        state = machine.next(self._state, moves)
        percepts = tuple(tuple(sorted(seen, key=str)) for seen in machine.percepts(state))
        return state, machine.facts(state), percepts

    def _enter(self, state: State, facts: frozenset[Term]) -> None:
        self._state = state
        self._states.append(state_text(facts))
        self._times.append(self._now())

    def _turn_message(self, role: int, *, stop: bool = False) -> Message:
        """Return PLAY or STOP for a role: the joint move, or in GDL-II its own move and percepts."""
        match_id = self._setup.match_id
        if not self._setup.machine.hides:
            return Stop(match_id, self._last_moves()) if stop else Play(match_id, self._last_moves())
        name = self._setup.scrambler.term
        move = str(name(self._moves[-1][role])) if self._moves else "NIL"
        percepts = tuple(str(name(seen)) for seen in self._percepts[-1][role]) if self._percepts else ()
        return ImperfectPlay(match_id, len(self._moves), move, percepts, stop)

    def _last_moves(self) -> tuple[str, ...] | None:
        if not self._moves:
            return None
        return tuple(str(self._setup.scrambler.term(move)) for move in self._moves[-1])

    async def _judged(self, question: Callable[[], Found]) -> Found:
        """Evaluate a query to the rules in the thread for rules. Raises UnplayableError."""
        try:
            return await asyncio.get_running_loop().run_in_executor(JUDGE, question)
        except ReasonerError as error:
            setup, steps = self._setup, len(self._moves)
            raise UnplayableError(
                f"the match {setup.match_id} of {setup.rulesheet.name} cannot go on after {steps} steps: {error}"
            ) from error

    async def _ask(self, message: Callable[[int], Message], seconds: float) -> list[Answer]:
        """Send a message to each seat at the same time; return the answers, None for chance."""
        return await asyncio.gather(
            *(_answer(seat, message(index), seconds) for index, seat in enumerate(self._setup.seats))
        )

    async def _abort(self) -> None:
        self._aborted = not self._goals
        await self._ask(lambda _: Abort(self._setup.match_id), ABORT_SECONDS)

    def _now(self) -> int:
        return int(self._setup.wall() * 1000)


def _start_error(answer: Answer) -> str:
    """Return the error code of an answer to START; `busy` and a text that begins with `error` are refusals."""
    if isinstance(answer, str):
        return REFUSED if answer.lower().startswith((BUSY, "error")) else ""
    return _error(answer)


def _error(answer: LateError | LostError | None) -> str:
    """Return the error code of a missing answer; empty for chance."""
    return "" if answer is None else "TO" if isinstance(answer, LateError) else "CE"


def _move_text(answer: str) -> str:
    """Format a move as `str(term)` does; empty if the answer is not exactly one term."""
    try:
        return read_move(answer)
    except ProtocolError:
        return ""


async def _answer(seat: SeatedPlayer | None, message: Message, seconds: float) -> Answer:
    if seat is None:
        return None
    try:
        return await seat.ask(message, seconds)
    except (LateError, LostError) as error:
        return error
