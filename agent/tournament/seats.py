"""Player wrappers for tournaments: message tracing, and a second seat in the same match."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TextIO

from agent.gamemaster.errors import RecordError
from agent.gamemaster.match import SeatedPlayer
from agent.gamemaster.player import LateError, LostError
from agent.protocol.messages import Info, Message, Preview
from agent.protocol.write import write_message


@dataclass(frozen=True)
class TracedPlayer:
    """A player whose messages and answers are traced, one JSON object per line.

    Fields: ``at`` (seconds since 1970), ``match``, ``player``, ``sent``, ``received`` or ``error``, ``seconds``.
    """

    inner: SeatedPlayer
    match_id: str
    out: TextIO
    wall: Callable[[], float] = time.time

    @property
    def name(self) -> str:
        """The player's name in match records."""
        return self.inner.name

    async def ask(self, message: Message, seconds: float) -> str:
        """Return the inner player's answer. Raises LateError, LostError, RecordError."""
        began = self.wall()
        try:
            answer = await self.inner.ask(message, seconds)
        except (LateError, LostError) as error:
            self._write(message, began, error=f"{type(error).__name__}: {error}")
            raise
        self._write(message, began, received=answer)
        return answer

    def _write(self, message: Message, began: float, **result: str) -> None:
        line = {
            "at": round(began, 3),
            "match": self.match_id,
            "player": self.name,
            "sent": write_message(message),
            **result,
            "seconds": round(self.wall() - began, 4),
        }
        try:
            self.out.write(json.dumps(line) + "\n")
            self.out.flush()
        except OSError as error:
            raise RecordError(f"cannot write the trace {self.out.name}: {error.strerror}.") from error


@dataclass(frozen=True)
class SecondSeat:
    """A player in an additional seat of a match. The match id distinguishes its seats."""

    inner: SeatedPlayer
    match_id: str

    @property
    def name(self) -> str:
        """The player's name in match records."""
        return self.inner.name

    async def ask(self, message: Message, seconds: float) -> str:
        """Return the inner player's answer. Raises LateError, LostError."""
        known = message if isinstance(message, Info | Preview) else replace(message, match_id=self.match_id)
        return await self.inner.ask(known, seconds)
