"""The agent as a player of Stanford's Gamemaster: its messages in, its answers out, whatever carries them.

In that manager's language one role is in control of each state. Every player is told every move, one at a time, and
only the player in control answers with a move; the others say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.errors import ProtocolError
from agent.page.envelope import Envelope, kif, read_envelope, rules_of
from agent.page.terms import term_of
from agent.page.watching import Gallery
from agent.protocol.infix import spoken
from agent.protocol.messages import Abort, Message, Play, Start, Stop
from agent.protocol.read import clock_of
from agent.protocol.write import BUSY, DONE, READY
from agent.server.matches import Matches
from search.clock import Clock

MAX_PLAYERS = 64
"""Players whose matches are remembered."""


class Relay:
    """Plays for any number of Gamemaster's players, each with a match of its own."""

    def __init__(self, matches: Matches, gallery: Gallery, clock: Clock) -> None:
        self._matches = matches
        self._gallery = gallery
        self._clock = clock
        self._playing: dict[str, tuple[str, str]] = {}  # by player: the id of its match, and its role
        self._made = 0

    async def answer(self, text: str) -> tuple[str, str] | None:
        """To whom an answer goes, and its text; None where nothing is to be said. Raises ProtocolError."""
        envelope = read_envelope(text)
        answer = await self._content(envelope)
        return None if answer is None else (envelope.sender, envelope.answered(answer))

    async def _content(self, envelope: Envelope) -> str | None:
        match envelope.verb, envelope.arguments:
            case "ping", _:
                return READY if self._matches.free or envelope.receiver in self._playing else BUSY
            case "start", (role, rules, start_clock, play_clock, *_):
                return await self._start(envelope.receiver, role.strip(), rules, start_clock, play_clock)
            case "play", (move, *_):
                return await self._play(envelope.receiver, move)
            case "stop", moves:
                return await self._over(envelope.receiver, moves)
            case "abort", _:
                return await self._over(envelope.receiver, None)
        raise ProtocolError("a message of Gamemaster is ping, start, play, stop or abort")

    async def _start(self, player: str, role: str, rules: str, start_clock: str, play_clock: str) -> str:
        await self._over(player, None)
        if len(self._playing) >= MAX_PLAYERS:
            return BUSY
        self._made += 1
        match_id = f"gamemaster.{player}.{self._made}"
        clocks = clock_of(start_clock.strip(), "the start clock"), clock_of(play_clock.strip(), "the play clock")
        answer = await self._ask(Start(match_id, role, rules_of(rules), *clocks))
        if answer != BUSY:
            self._playing[player] = (match_id, role)
        return answer

    async def _play(self, player: str, move: str) -> str | None:
        if player not in self._playing:
            return BUSY
        match_id, role = self._playing[player]
        answer = await self._ask(Play(match_id, _joint([move])))
        if answer == BUSY:
            self._playing.pop(player, None)
        return spoken(answer) if self._in_control(match_id, role) else None

    async def _over(self, player: str, moves: Sequence[str] | None) -> str:
        match_id, _ = self._playing.pop(player, ("", ""))
        if match_id:
            await self._ask(Abort(match_id) if moves is None else Stop(match_id, _joint(moves)))
        return DONE

    def _in_control(self, match_id: str, role: str) -> bool:
        """Whether the facts name us as the one to move; also where they name nobody."""
        log = self._gallery.log_of(match_id)
        facts = log.moments[-1].facts if log and log.moments else ()
        named = [str(term_of(fact)) for fact in facts if fact.startswith("(control ")]
        return not named or f"(control {role})" in named

    async def _ask(self, message: Message) -> str:
        return await self._matches.answer(message, self._clock.now(), lambda: False)


def _joint(moves: Sequence[str]) -> tuple[str, ...] | None:
    """The moves of a message; None before any was made."""
    joint = tuple(kif(move) for move in moves)
    return None if not joint or joint[0].lower() in ("nil", "[]") else joint
