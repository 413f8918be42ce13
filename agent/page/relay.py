"""Bridge to Stanford's Gamemaster: converts its messages and the agent's replies, independent of the transport.

In Gamemaster's protocol, one role is in control of each state. Every player gets every move, one at a time. Only the
player in control answers with a move; the other players send no reply.

The ids of the running matches contain their players, and nothing else stores this assignment. Therefore it survives a
restart and ends with the match.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from agent.boards.terms import term_of
from agent.errors import ProtocolError
from agent.page.envelope import NIL, Envelope, kif, read_envelope, rules_of
from agent.page.history import Moment
from agent.page.host import Host
from agent.protocol.infix import spoken
from agent.protocol.messages import Abort, Play, Start, Stop
from agent.protocol.read import MAX_MOVES, MAX_NAME, clock_of
from agent.protocol.write import BUSY, DONE, READY
from agent.server.long_texts import LongTexts
from agent.server.origins import REFUSED
from agent.server.waiters import Gone

NOOP = "noop"
"""Move of a role that is not in control."""

PREFIX = "gamemaster"
"""Prefix of the ids of Gamemaster's matches; the player, its browser and a number follow."""
_BROWSER = re.compile(r"[0-9a-f]{1,16}")
"""Random word of a browser."""


class _Told(NamedTuple):
    """The last move that a match was told."""

    message: str
    reply: asyncio.Task[str | None]


class Relay:
    """Bridge for any number of Gamemaster's players; each has a match of its own."""

    def __init__(self, host: Host, texts: LongTexts) -> None:
        self._host = host
        self._made = 0
        self._texts = texts
        self._told: dict[str, _Told] = {}  # by the id of a running match
        self._starting: dict[str, asyncio.Task[str]] = {}  # STARTs that are not answered yet, by player

    async def answer(
        self, text: str, *, obeyed: bool = True, sender: str = "", browser: str = "", message: str = ""
    ) -> tuple[str, str] | None:
        """Return the receiver and the text of the reply, or None for no reply. Raises ProtocolError.

        A client that is not `obeyed` may only send ping; `sender` is its address. Players of one name in two browsers
        differ in `browser`, and a message that is sent again has the same `message`; older player pages send neither.
        """
        envelope = await self._texts.read(partial(read_envelope, text), len(text))
        del text
        if not obeyed and envelope.verb != "ping":
            raise ProtocolError(REFUSED.removeprefix("error: "))
        player = f"{envelope.receiver}.{browser}" if _BROWSER.fullmatch(browser) else envelope.receiver
        answer = await self._content(envelope, player, sender, message)
        return None if answer is None else (envelope.sender, envelope.answered(answer))

    async def _content(self, envelope: Envelope, player: str, sender: str, message: str) -> str | None:
        match envelope.verb, envelope.arguments:
            case "ping", _:
                return READY if self._host.matches.free or self._playing(player) else BUSY
            case "start", (role, rules, start_clock, play_clock, *_):
                start = role.strip(), rules, start_clock, play_clock
                return await self._start(player, *start, sender)
            case "play", (move, *_):
                return await self._play(player, move, message[:MAX_NAME])
            case "stop", moves:
                return await self._over(player, moves)
            case "abort", _:
                return await self._over(player, None)
        raise ProtocolError("a Gamemaster message must be ping, start, play, stop or abort")

    async def _start(self, player: str, role: str, rules: str, start_clock: str, play_clock: str, sender: str) -> str:
        clocks = clock_of(start_clock.strip(), "the start clock"), clock_of(play_clock.strip(), "the play clock")
        if len(role) > MAX_NAME:
            raise ProtocolError(f"the role may have at most {MAX_NAME} characters")
        sheet = await self._texts.read(partial(rules_of, rules), len(rules))
        await self._over(player, None)  # a message that cannot be read has ended nothing
        self._made += 1
        match_id = f"{_prefix(player)}{self._made}"
        asking = asyncio.create_task(self._host.ask(Start(match_id, role, sheet, *clocks), sender))
        self._starting[player] = asking
        try:
            await asyncio.wait((asking,))
        finally:
            asking.cancel()
            if self._starting.get(player) is asking:
                del self._starting[player]
        return BUSY if asking.cancelled() else asking.result()

    async def _play(self, player: str, move: str, message: str) -> str | None:
        """Answer a move. The last message of a match gets the same answer again, because its first may be lost."""
        playing = self._playing(player)
        if playing is None:
            return BUSY
        told = self._told.get(playing.match_id)
        if told is None or not message or told.message != message:
            running = {start.match_id for start in self._host.matches.starts()}
            self._told = {match_id: told for match_id, told in self._told.items() if match_id in running}
            told = self._told[playing.match_id] = _Told(message, asyncio.create_task(self._reply(playing, move)))
            told.reply.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it
        return await asyncio.shield(told.reply)

    async def _reply(self, playing: Start, move: str) -> str | None:
        joint, known = await self._joint([move]), len(self._positions(playing.match_id))
        answer = await self._host.ask(Play(playing.match_id, joint), gone=self._overtaken(playing.match_id))
        facts = self._facts_after(joint, playing.match_id, known)
        return spoken(answer) if _in_control(playing.role, facts, answer) else None

    def _overtaken(self, match_id: str) -> Gone:
        """Return a function that says whether a later move has come: the role in control need not wait for others."""
        reply = asyncio.current_task()

        def gone() -> bool:
            told = self._told.get(match_id)
            return told is None or told.reply is not reply

        return gone

    async def _over(self, player: str, moves: Sequence[str] | None) -> str:
        """End the player's match, or its START that still waits for a match slot."""
        if playing := self._playing(player):
            match_id = playing.match_id
            await self._host.ask(Abort(match_id) if moves is None else Stop(match_id, await self._joint(moves)))
        elif starting := self._starting.get(player):
            starting.cancel()
        return DONE

    async def _joint(self, moves: Sequence[str]) -> tuple[str, ...] | None:
        """Return the moves of a message; None if no move was made yet."""
        characters = sum(map(len, moves))
        if characters > MAX_MOVES:
            raise ProtocolError(f"the moves have more than {MAX_MOVES} characters")
        joint = await self._texts.read(lambda: tuple(map(kif, moves)), characters)
        return None if not joint or joint[0].lower() == NIL else joint

    def _playing(self, player: str) -> Start | None:
        """Return the START of a player's match; None if it has none."""
        prefix = _prefix(player)
        ours = (start for start in self._host.matches.starts() if start.match_id.startswith(prefix))
        return next((start for start in ours if start.match_id.removeprefix(prefix).isdecimal()), None)

    def _positions(self, match_id: str) -> Sequence[Moment]:
        log = self._host.gallery.log_of(match_id)
        return log.moments if log else ()

    def _facts_after(self, joint: tuple[str, ...] | None, match_id: str, known: int) -> Sequence[str]:
        """Return the facts of the position that a message led to, with `known` positions before it.

        They are empty if no worker has told them: none may be ready yet, or it has ended.
        """
        positions = self._positions(match_id)
        if joint is None:
            return positions[0].facts if len(positions) == 1 else ()
        if len(positions) <= known or joint[0].casefold() not in map(str.casefold, positions[-1].joint):
            return ()
        return positions[-1].facts


def _in_control(role: str, facts: Sequence[str], answer: str) -> bool:
    """Whether it is our role's turn according to the facts; also True if the facts name no role.

    Without facts, our role is not in control if its move is `noop`.
    """
    if not facts:
        return answer.casefold() != NOOP
    named = [str(term_of(fact)) for fact in facts if fact.startswith("(control ")]
    return not named or f"(control {role})" in named


def _prefix(player: str) -> str:
    return f"{PREFIX}.{player}."
