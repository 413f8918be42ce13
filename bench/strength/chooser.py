"""Opponents that see only the joint moves, as sides of a match with either clock."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from agent.protocol.messages import Abort, Message, Play, Start, Stop
from reasoner.language.terms import Term
from reasoner.machine import Machine, State


class Chooser(Protocol):
    """Interface of an opponent that sees only the joint moves so far."""

    def choose(self, played: Sequence[Sequence[str]], role: int, legal: Sequence[Term], seconds: float | None) -> str:
        """Return a legal move, as text, within about `seconds` (None: by the chooser's settings). Raises ValueError."""

    def close(self) -> None:
        """Release its resources."""


class Onlooker:
    """A chooser, and the moves of one match so far."""

    def __init__(self, chooser: Chooser, machine: Machine) -> None:
        self._chooser = chooser
        self._machine = machine
        self.begin()

    def begin(self) -> None:
        """Begin a match."""
        self._played: list[tuple[str, ...]] = []
        self._state: State = self._machine.initial()

    def joint(self, moves: Sequence[str]) -> None:
        """Record a joint move."""
        self._played.append(tuple(moves))
        self._state = self._machine.next(self._state, moves)

    def choose(self, role: int, seconds: float | None) -> str:
        """Return the move of a role."""
        legal = self._machine.legal(self._state)[role]
        return str(legal[0]) if len(legal) == 1 else self._chooser.choose(self._played, role, legal, seconds)

    def close(self) -> None:
        """Release its resources."""
        self._chooser.close()


class ChooserSide:
    """A chooser as a side of a match with a clock of processor seconds."""

    def __init__(self, onlooker: Onlooker) -> None:
        self._onlooker = onlooker

    def begin(self, roles: Sequence[int], seed: int) -> None:  # noqa: ARG002 a chooser can play any role
        """See `seats.Side`."""
        self._onlooker.begin()

    def think(self, roles: Sequence[int], seconds: float | None) -> Mapping[int, Mapping[str, Any]]:
        """See `seats.Side`."""
        return {role: {"move": self._onlooker.choose(role, seconds)} for role in roles}

    def joint(self, moves: Sequence[str]) -> None:
        """See `seats.Side`."""
        self._onlooker.joint(moves)

    def close(self) -> None:
        """See `seats.Side`."""
        self._onlooker.close()


SHARE = 0.9
"""Share of its clock that a chooser may use, so that its answers are in time."""


class ChooserPlayer:
    """A chooser as a player of the game manager, without HTTP."""

    def __init__(self, onlooker: Onlooker, roles: Sequence[str], name: str) -> None:
        self._onlooker = onlooker
        self._roles = tuple(roles)
        self._name = name
        self._role = 0

    @property
    def name(self) -> str:
        """The name in records."""
        return self._name

    async def ask(self, message: Message, seconds: float) -> str:
        """Return the answer to a message of the manager."""
        if isinstance(message, Start):
            self._role = self._roles.index(message.role)
            self._onlooker.begin()
            return "ready"
        if isinstance(message, Play):
            return await asyncio.to_thread(self._play, message.moves, seconds)
        return "done" if isinstance(message, Stop | Abort) else "available"

    def _play(self, moves: Sequence[str] | None, seconds: float) -> str:
        if moves:
            self._onlooker.joint(moves)
        return self._onlooker.choose(self._role, seconds * SHARE)
