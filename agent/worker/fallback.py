"""The fallback process: legal moves for one match while no worker is available, or while its worker is silent.

It obeys the commands of a worker (`agent.worker.worker_messages`) and offers a legal move for each PLAY, without a
search, until a worker takes over. It keeps the states that the match may be in: one in plain GDL, several where
information is hidden or messages were missed.

The command ``python -m agent.worker.fallback SETTINGS`` forks such processes. It imports no compiled code, so it is
ready much sooner than the fork server of the workers, and it does not depend on that server.

If the rules take endless time or too much memory, the process ends at its limit of processor time or memory, and the
agent continues without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NoReturn

from agent.protocol.messages import JointOrGap
from agent.protocol.observation import is_observed, item_of_missed, item_of_percepts, missed_turns, observed
from agent.settings import Settings, from_dict
from agent.worker.sight import Sight
from agent.worker.start_rules import RefusalError, read_limits, role_index
from agent.worker.term_text import Joint, spelled
from agent.worker.worker_messages import (
    Applied,
    Begin,
    Born,
    Choose,
    Command,
    End,
    Event,
    Offered,
    decode_command,
    encode,
)
from reasoner.errors import ReasonerError
from reasoner.fork_server import ForkServer, abandoned, control_socket
from reasoner.ground.answer_sets import AnswerSetGame, Position, Seen
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.platform_calls import ending_with_parent, limit_data, limit_processor_time, write_no_core
from reasoner.rules.percepts import hides
from reasoner.rules.read import read_program

PROCESSOR_SECONDS = 60
"""Limit of processor time."""
MAX_STATES = 24
"""Maximum possible states that are kept."""
MAX_MISSED = 4
"""Maximum consecutive joint moves that may have been missed."""
RECENT = 4
"""Number of last joint moves that a manager may send again."""

Reading = Callable[[Sequence[Sequence[Term]]], Sequence[Term | None] | None]
"""Function from the legal moves per role to a joint move (None: an unknown move), or to None if a move is illegal."""
Item = Joint | None
"""A joint move or an observation; None for a gap."""


class FollowedMatch:
    """The states that a match may be in after the messages so far. Raises ReasonerError for faulty rules."""

    def __init__(self, command: Begin, settings: Settings) -> None:
        program, _ = read_program(command.start.rules, read_limits(settings.rules))
        self._game = AnswerSetGame(program)
        self._legal = lru_cache(MAX_STATES)(self._game.legal)
        self._role = role_index(command.start.role, tuple(map(str, program.roles)))
        self._sight = Sight(program)
        self._states = [self._game.initial()]
        self._turn = 0  # turn number of the last observation
        self._plain = not hides(program)
        self.hides = not self._plain and not self._sight.full
        self.items: list[Item] = []
        self.answered: str | None = None  # our move in the current state, as far as known
        self.chosen = 0  # number of the PLAY for which `answered` was chosen, if here
        self.complete = True  # whether `items` has all moves and percepts received
        self._unfit: list[Joint] = []  # joint moves that fit none of the states, in plain GDL

    def apply(self, told: Item, *, repeated: bool = False, gap: bool = False) -> tuple[int, Sequence[Item]] | None:
        """Apply the moves or percepts `told` of a message; `repeated` and `gap` as in `Turns.apply`.

        Return how many of `items` stay, and the new items after them; None if the message fits none of the states.
        """
        numbered, told = is_observed(told), self._sight.read(told)
        lost = gap and numbered and not is_observed(told)  # by the turn number
        if not told and (self.items or not self.hides) and not (self.hides and told is not None):
            return self._begin_again()
        if told and is_observed(told) and self.items and observed(told).turn <= self._turn:
            return len(self.items), ()
        if told is not None and repeated and not is_observed(told) and not self._may_be_new(told):
            return len(self.items), ()
        before = len(self.items)
        if self.items and self.answered and self._missed_before(told):
            self.apply(item_of_missed(self._turn + 1, self.answered))
        for item, reading, seen, assumed in self._readings(told):
            states = self._states_after(item, reading, seen, 1, MAX_MISSED) if lost else []
            if states := states or self._states_after(item, reading, seen, 0, MAX_MISSED * (gap or assumed)):
                self._states, self.answered = states, None
                self._turn = missed_turns(self._turn, observed(item).turn)[1] if is_observed(item) else 0
                self.items += [None, item] if (gap or assumed) and not is_observed(item) else [item]
                return before, self.items[before:]
        self.complete = False
        if told and not self.hides:
            self._step_over_lost(told)
        elif told is not None:
            self._step_blindly(told)
        return None

    def replay(self, applied: Sequence[JointOrGap], reached: int, position: Sequence[str]) -> int:
        """Make the joint moves that a worker has applied, up to a gap, in plain GDL; return how many were made.

        They are legal: to ask for the legal moves of each position would take twice as long as the moves. The first
        `reached` of them lead to the facts `position`.
        """
        if self._plain and reached:
            self._states = [frozenset(map(read_term, position))]
            self.items += [None if joint is None else tuple(joint) for joint in applied[:reached]]
        done = len(self.items)
        for count, joint in enumerate(applied[done:], done):
            if not self._plain or joint is None or len(joint) != len(self._game.roles):
                return count
            self._states = self._game.successors(self._states[0], list(map(read_term, joint)))
            self.items.append(tuple(joint))
        return len(applied)

    def _missed_before(self, told: Item) -> int:
        """Return the number of turns that were missed before a message, by its turn number."""
        return missed_turns(self._turn, observed(told).turn)[0] if told and is_observed(told) else 0

    def _step_over_lost(self, told: Joint) -> None:
        """After an illegal joint move, go on as if messages before it were lost; an older one is sent twice."""
        if told in [*self.items, *self._unfit][-RECENT:]:
            return
        self._unfit.append(told)
        if states := self._states_after(*self._as_moves(told), 0, MAX_MISSED):
            self._states, self.answered = states, None

    def _step_blindly(self, told: Joint) -> None:
        """After percepts that fit no kept state, go on from these: often only the turn decides what is legal."""
        own = observed(told).move if is_observed(told) else self.answered
        for move in (own, None):
            if states := self._steps(self._states, partial(self._own_move, move)):
                self._states, self.answered = states, None
                self._turn = missed_turns(self._turn, observed(told).turn)[1] if is_observed(told) else self._turn + 1
                return

    def move(self) -> str | None:
        """Return the move that is legal in the most states; None if there is no legal move."""
        counts = Counter(move for state in self._states for move in self._legal(state)[self._role])
        return str(counts.most_common(1)[0][0]) if counts else None

    def _begin_again(self) -> tuple[int, Sequence[Item]]:
        self._states, self._turn, self.items, self.answered = [self._game.initial()], 0, [], None
        self.complete, self._unfit = True, []
        return 0, ()

    def _may_be_new(self, joint: Joint) -> bool:
        """Whether a repeated list can be a new turn: percepts that can come now, or legal moves with our answer."""
        if self.hides and not self._moves_told:
            seen = self._game.roles[self._role], list(map(read_term, joint))
            return bool(self._steps(self._states, partial(self._own_move, None), seen))
        terms = spelled(joint, self._legal(self._states[0]))
        return terms is not None and self.answered in (None, str(terms[self._role]))

    @property
    def _moves_told(self) -> bool:
        """Whether the last message that was understood contained a joint move, and not our percepts."""
        return bool(self.items) and self.items[-1] is not None and not is_observed(self.items[-1])

    def _readings(self, told: Item) -> Iterator[tuple[Joint, Reading, Seen | None, bool]]:
        """Yield the interpretations of a message, most likely first: the item, its reading and percepts.

        The last part is whether messages before it are assumed to be lost.
        """
        moves = told if told and not is_observed(told) else None
        complete = moves is not None and len(moves) == len(self._game.roles)
        doubled = moves is not None and len(set(moves)) < len(moves)  # percepts are a set
        first = self._moves_told or not self.hides or (complete and doubled)
        if moves and first:
            yield *self._as_moves(moves), False
        if self.hides:
            turn = max(len(self.items), self._turn + 1) if self.items else int(told is not None)
            item = told if told and is_observed(told) else item_of_percepts(turn, self.answered, told or ())
            percepts = list(map(read_term, observed(item).percepts))
            seen = None if observed(item).missed else (self._game.roles[self._role], percepts)
            yield item, partial(self._own_move, observed(item).move), seen, False
        if moves and not first:
            yield *self._as_moves(moves), False
        if self.hides:
            yield item, partial(self._own_move, None), seen, False
        if moves and self.hides and complete:
            yield *self._as_moves(moves), True

    def _as_moves(self, told: Joint) -> tuple[Joint, Reading, Seen | None]:
        terms = spelled(told, self._legal(self._states[0]))
        return told if terms is None else tuple(map(str, terms)), partial(spelled, told), None

    def _own_move(self, own: str | None, legal: Sequence[Sequence[Term]]) -> Sequence[Term | None] | None:
        """Return a joint move with only our move `own` known; unknown moves are None. None if `own` is illegal."""
        alike = [move for move in legal[self._role] if own is not None and str(move).casefold() == own.casefold()]
        alike = [move for move in alike if str(move) == own] or alike
        if own is not None and not alike:
            return None
        return [alike[0] if alike and role == self._role else None for role in range(len(legal))]

    def _states_after(self, item: Joint, reading: Reading, seen: Seen | None, least: int, most: int) -> list[Position]:
        """Return the states after a message, with as few missed joint moves before it as possible.

        At least `least` and at most `most` are assumed; an observation tells their number itself.
        """
        states = self._states
        if is_observed(item):
            told = observed(item)
            asked = told.asked and bool(told.percepts)  # the first of these messages has no percepts
            if not self.items and not asked:  # no move was made before the first message
                return states if told.move is None else self._steps(states, reading, seen)
            least = most = min(self._missed_before(item), MAX_MISSED)
        for missed in range(most + 1):
            if missed:
                states = self._steps(states, partial(self._own_move, None))
            if missed >= least and (after := self._steps(states, reading, seen)):
                return after
        return []

    def _steps(self, states: Sequence[Position], reading: Reading, seen: Seen | None = None) -> list[Position]:
        """Return the states after one joint move in any of `states`."""
        found: dict[Position, None] = {}
        for state in states:
            joint = reading(self._legal(state))
            if joint is not None and len(found) < MAX_STATES:
                found |= dict.fromkeys(self._game.successors(state, joint, seen, MAX_STATES))
        return list(found)[:MAX_STATES]


class Fallback:
    """Obeys the commands of the server.

    It keeps fewer states than a worker, so true percepts may fit none of its states. After such a message it sends no
    more `Applied` events, so that the server keeps all messages for the worker.
    """

    def __init__(self, settings: Settings, send: Callable[[Event], None]) -> None:
        self._settings = settings
        self._send = send
        self._match: FollowedMatch | None = None

    def obey(self, command: object) -> None:
        """Obey a command. Raises ReasonerError or RefusalError if the match cannot be followed."""
        if isinstance(command, Begin):
            self._match = match = FollowedMatch(command, self._settings)
            applied = len(command.joints) - len(command.own)
            done, gap = match.replay(command.joints[:applied], command.reached, command.position), False
            own = [*[None] * applied, *command.own]
            repeated = [*[False] * (len(command.joints) - len(command.repeated)), *command.repeated]
            for item, match.answered, again in [*zip(command.joints, own, repeated, strict=True)][done:]:
                if item is not None:
                    match.apply(tuple(item), gap=gap, repeated=again)
                gap = item is None
            match.answered = command.answered
            if match.complete:
                self._send(Applied(command.number, 0, match.items, match.hides))
        elif isinstance(command, Choose) and self._match is not None:
            self._choose(self._match, command)

    def _choose(self, match: FollowedMatch, command: Choose) -> None:
        if command.apply:
            joint = None if command.joint is None else tuple(command.joint)
            match.answered = command.own or (match.answered if match.chosen <= command.sent else None)
            applied = match.apply(joint, repeated=command.repeated, gap=command.gap)
            if applied is not None and match.complete:
                self._send(Applied(command.number, *applied, match.hides))
        if match.answered is None:
            match.answered, match.chosen = match.move(), command.number
        if match.answered is not None:
            self._send(Offered(command.number, match.answered))


def main() -> None:
    """Serve forks that follow matches, each for one connection, until the server closes the socket."""
    control = control_socket()
    settings = from_dict(json.loads(sys.argv[1]))

    def become(end: socket.socket) -> NoReturn:
        _serve(end, settings)
        os._exit(0)

    with ending_with_parent():
        if abandoned(control):
            return
    ForkServer(control, become).run()


def _serve(end: socket.socket, settings: Settings) -> None:
    """Follow a match until the server closes the socket."""
    os.setsid()  # a process group of its own, like a worker
    limit_data(settings.worker.memory_mib << 20, 1)
    with end, end.makefile("rb") as commands:

        def send(event: Event) -> None:
            end.sendall(encode(event))

        with contextlib.suppress(ConnectionError):  # the server has closed the socket
            send(Born(os.getpid()))
            follow(settings, map(decode_command, commands), send)


def follow(settings: Settings, commands: Iterable[Command], send: Callable[[Event], None]) -> None:
    """Obey commands until `End` or a failure, which is logged. Limits the processor time of this process."""
    write_no_core()
    limit_processor_time(PROCESSOR_SECONDS)
    fallback = Fallback(settings, send)
    try:
        for command in commands:
            if isinstance(command, End):
                return
            fallback.obey(command)
    except (ReasonerError, RefusalError, MemoryError, RuntimeError) as error:
        _log_failure(settings, str(error) or type(error).__name__)


def _log_failure(settings: Settings, reason: str) -> None:
    import structlog  # imported late: these two modules take a third of the load time

    from agent.logs import configure_logs

    configure_logs(settings.log)
    structlog.get_logger().info("no legal move before a worker is available", reason=reason[:200])


if __name__ == "__main__":
    main()
