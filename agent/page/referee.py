"""Client of a referee process (`agent.worker.referee`), with one request at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from agent.page.errors import ProcessError, RefereeError, RulesFaultError
from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.worker_messages import (
    Advance,
    BeginGame,
    Examine,
    Explain,
    Explained,
    Fault,
    Follow,
    Position,
    ReadRules,
    RefereeCommand,
    RefereeFailed,
    RulesRead,
    Think,
    Thought,
    Told,
)

SECONDS = 60.0
"""Timeout of an answer; each evaluation inside the process has its own limit."""

ENDED = "the process of these rules has ended; open the game again"

Answer = TypeVar("Answer", RulesRead, Position, Explained)


class Referee(Listener):
    """One referee process. Every request raises ProcessError if the process has ended or takes too long."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._worker: Worker | None = None
        self._answer: asyncio.Future[Told] | None = None
        self._listener: Callable[[Told], None] | None = None
        self._ended: Callable[[], None] = lambda: None
        self._unwanted = 0  # pending answers to cancelled requests
        self._lost = False  # whether the process that has read the rules has ended

    async def read(self, rules: str, *, gently: bool = False) -> tuple[Sequence[Fault], Sequence[str]]:
        """Return the diagnostics of a rulesheet as JSON, and its roles. Raises RulesFaultError on errors.

        `gently` lowers the priority of the process below that of matches.
        """
        found = await self._ask(ReadRules(rules, gently), RulesRead)
        if not found.roles:
            raise RulesFaultError(found.faults)
        return found.faults, found.roles

    async def begin(self, seed: int, viewers: Sequence[int] = (), *, gently: bool = False) -> Position:
        """Return the first position with its drawing data; `viewers` are the roles whose knowledge is shown.

        `gently` lowers the priority of the process below that of matches.
        """
        return await self._ask(BeginGame(seed, viewers, gently), Position)

    async def advance(self, joint: Sequence[str | None]) -> Position:
        """Return the position after one move per role; None is replaced by a random move."""
        return await self._ask(Advance(joint), Position)

    async def follow(self, joint: Sequence[str]) -> Position:
        """Return the position after a joint move of a message. Raises RefereeError if it is not legal."""
        return await self._ask(Follow(joint), Position)

    async def explain(self, before: Sequence[str], facts: Sequence[str]) -> Sequence[str]:
        """Return the facts of the last two positions that decided a game; runs at low priority."""
        return (await self._ask(Explain(before, facts), Explained)).cause

    async def examine(
        self, node: int, parent: int, joint: Sequence[str] | None, facts: Sequence[str] | None
    ) -> Position:
        """Return a position for analysis; see `agent.worker.worker_messages.Examine`."""
        return await self._ask(Examine(node, parent, joint, facts), Position)

    def tell(self, command: Think) -> None:
        """Send a search command; results go to the listener."""
        if self._worker is not None:
            self._worker.send(command)

    def listen(self, heard: Callable[[Told], None], ended: Callable[[], None]) -> None:
        """Set the listeners for search results, and for the end of the process by itself."""
        self._listener, self._ended = heard, ended

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._workers.release(self._worker)
            self._worker, self._lost = None, True

    async def ended(self) -> None:
        """End the process and wait for its end."""
        worker = self._worker
        self.close()
        if worker is not None:
            await worker.closed()

    def heard(self, event: Told) -> None:
        """Handle an answer or a search result."""
        if isinstance(event, Thought):
            if self._listener is not None:
                self._listener(event)
            return
        if self._unwanted:
            self._unwanted -= 1
        elif self._answer is not None and not self._answer.done():
            self._answer.set_result(event)

    def died(self) -> None:
        """Handle the end of the process."""
        self._worker, self._unwanted, self._lost = None, 0, True
        self.heard(RefereeFailed(ENDED))
        self._ended()

    async def _ask(self, command: RefereeCommand | Examine, kind: type[Answer]) -> Answer:
        if self._lost and not isinstance(command, ReadRules):
            raise ProcessError(ENDED)  # a new process would not have the rules or the game
        self._lost = False
        worker = self._worker = self._worker or await self._taken()
        self._answer = asyncio.get_running_loop().create_future()
        worker.send(command)
        try:
            async with asyncio.timeout(SECONDS):  # before Python 3.12, `wait_for` may lose a cancellation
                event = await self._answer
        except asyncio.CancelledError:
            self._unwanted += self._answer.cancelled()  # else the answer has come in the same step
            raise
        except TimeoutError:
            worker.kill()
            raise ProcessError(f"the rules were not evaluated within {SECONDS:g} s") from None
        if isinstance(event, RefereeFailed) and self._lost:
            raise ProcessError(event.reason)
        if not isinstance(event, kind):
            raise RefereeError(event.reason if isinstance(event, RefereeFailed) else "unexpected answer of the referee")
        return event

    async def _taken(self) -> Worker:
        try:
            return await self._workers.take(self)
        except OSError as error:
            raise ProcessError(f"no process can be started for the rules ({error.strerror}); try again") from None
