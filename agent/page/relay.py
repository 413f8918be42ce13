"""Bridge to Stanford's Gamemaster: its messages in, the agent's replies out, independent of the transport.

In that protocol one role is in control of each state. Every player gets every move, one at a time, and only the player
in control answers with a move; the others stay silent.

The assignment of players to matches is stored only in the ids of the running matches, so it survives a restart and ends
with the match.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.errors import ProtocolError
from agent.page.envelope import NIL, Envelope, kif, read_envelope, rules_of
from agent.page.host import Host
from agent.page.terms import term_of
from agent.protocol.infix import spoken
from agent.protocol.messages import Abort, Play, Start, Stop
from agent.protocol.read import clock_of
from agent.protocol.write import BUSY, DONE, READY
from agent.server.origins import REFUSED

PREFIX = "gamemaster"
"""Prefix of the ids of its matches, followed by the player and a number."""


class Relay:
    """Plays for any number of Gamemaster's players, each with a match of its own."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._made = 0

    async def answer(self, text: str, *, obeyed: bool = True, sender: str = "") -> tuple[str, str] | None:
        """Return the receiver and the text of the reply, or None for no reply. Raises ProtocolError.

        A client that is not `obeyed` may only send ping; `sender` is its address.
        """
        envelope = read_envelope(text)
        if not obeyed and envelope.verb != "ping":
            raise ProtocolError(REFUSED.removeprefix("error: "))
        answer = await self._content(envelope, sender)
        return None if answer is None else (envelope.sender, envelope.answered(answer))

    async def _content(self, envelope: Envelope, sender: str) -> str | None:
        match envelope.verb, envelope.arguments:
            case "ping", _:
                return READY if self._host.matches.free or self._playing(envelope.receiver) else BUSY
            case "start", (role, rules, start_clock, play_clock, *_):
                start = role.strip(), rules, start_clock, play_clock
                return await self._start(envelope.receiver, *start, sender)
            case "play", (move, *_):
                return await self._play(envelope.receiver, move)
            case "stop", moves:
                return await self._over(envelope.receiver, moves)
            case "abort", _:
                return await self._over(envelope.receiver, None)
        raise ProtocolError("a Gamemaster message must be ping, start, play, stop or abort")

    async def _start(self, player: str, role: str, rules: str, start_clock: str, play_clock: str, sender: str) -> str:
        await self._over(player, None)
        self._made += 1
        match_id = f"{_prefix(player)}{self._made}"
        clocks = clock_of(start_clock.strip(), "the start clock"), clock_of(play_clock.strip(), "the play clock")
        return await self._host.ask(Start(match_id, role, rules_of(rules), *clocks), sender)

    async def _play(self, player: str, move: str) -> str | None:
        playing = self._playing(player)
        if playing is None:
            return BUSY
        answer = await self._host.ask(Play(playing.match_id, _joint([move])))
        return spoken(answer) if self._in_control(playing.match_id, playing.role) else None

    async def _over(self, player: str, moves: Sequence[str] | None) -> str:
        if playing := self._playing(player):
            match_id = playing.match_id
            await self._host.ask(Abort(match_id) if moves is None else Stop(match_id, _joint(moves)))
        return DONE

    def _playing(self, player: str) -> Start | None:
        """Return the START of a player's match; None if it has none."""
        prefix = _prefix(player)
        ours = (start for start in self._host.matches.starts() if start.match_id.startswith(prefix))
        return next((start for start in ours if start.match_id.removeprefix(prefix).isdecimal()), None)

    def _in_control(self, match_id: str, role: str) -> bool:
        """Whether the facts say that our role is to move; also True if they name no role."""
        log = self._host.gallery.log_of(match_id)
        facts = log.facts if log else ()
        named = [str(term_of(fact)) for fact in facts if fact.startswith("(control ")]
        return not named or f"(control {role})" in named


def _prefix(player: str) -> str:
    return f"{PREFIX}.{player}."


def _joint(moves: Sequence[str]) -> tuple[str, ...] | None:
    """Convert the moves of a message; None before the first move."""
    joint = tuple(kif(move) for move in moves)
    return None if not joint or joint[0].lower() == NIL else joint
