"""The process that keeps the rules of a game on the page, asked one question at a time (`agent.worker.referee`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from agent.page.errors import RefereeError, RulesFaultError
from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.messages import (
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
"""How long an answer may take; each question to the machine inside has a limit of its own."""

ENDED = "the process that knew these rules has ended; open the game again"

Answer = TypeVar("Answer", RulesRead, Position, Explained)


class Referee(Listener):
    """Raises RefereeError from every question when the process is gone or takes too long."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._worker: Worker | None = None
        self._answer: asyncio.Future[Told] | None = None
        self._listener: Callable[[Told], None] | None = None
        self._unwanted = 0  # answers still to come to questions that nobody waits for any more
        self._lost = False  # whether the process that has read the rules has ended

    async def read(self, rules: str, *, gently: bool = False) -> tuple[Sequence[Fault], Sequence[str]]:
        """The faults of a rulesheet as JSON, and its roles. Raises RulesFaultError where a fault is an error.

        What is asked `gently` gives way to matches.
        """
        found = await self._ask(ReadRules(rules, gently), RulesRead)
        if not found.roles:
            raise RulesFaultError(found.faults)
        return found.faults, found.roles

    async def begin(self, seed: int, viewer: int | None = None, *, gently: bool = False) -> Position:
        """The first position, with the facts that may ever be true; `viewer` is the role as which it is looked at.

        What is asked `gently` gives way to matches.
        """
        return await self._ask(BeginGame(seed, viewer, gently), Position)

    async def advance(self, joint: Sequence[str | None]) -> Position:
        """The position after one move a role; None is drawn at random."""
        return await self._ask(Advance(joint), Position)

    async def follow(self, joint: Sequence[str]) -> Position:
        """The position after a joint move as a message told it. Raises RefereeError where it is not legal."""
        return await self._ask(Follow(joint), Position)

    async def explain(self, before: Sequence[str], facts: Sequence[str]) -> Sequence[str]:
        """Which facts of the last position of a game decided, and which of the one before; gives way to matches."""
        return (await self._ask(Explain(before, facts), Explained)).cause

    async def examine(
        self, node: int, parent: int, joint: Sequence[str] | None, facts: Sequence[str] | None
    ) -> Position:
        """A position for analysis; see `agent.worker.messages.Examine`."""
        return await self._ask(Examine(node, parent, joint, facts), Position)

    def tell(self, command: Think) -> None:
        """Tell the process what to think about; who listens hears of it."""
        if self._worker is not None:
            self._worker.send(command)

    def listen(self, heard: Callable[[Told], None]) -> None:
        """Have `heard` told what is thought."""
        self._listener = heard

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._workers.release(self._worker)
            self._worker, self._lost = None, True

    async def ended(self) -> None:
        """End the process, and wait until it has."""
        worker = self._worker
        self.close()
        if worker is not None:
            await worker.closed()

    def heard(self, event: Told) -> None:
        """The answer, or a thought."""
        if isinstance(event, Thought):
            if self._listener is not None:
                self._listener(event)
            return
        if self._unwanted:
            self._unwanted -= 1
        elif self._answer is not None and not self._answer.done():
            self._answer.set_result(event)

    def died(self) -> None:
        """The process has ended."""
        self._worker, self._unwanted, self._lost = None, 0, True
        self.heard(RefereeFailed("the rules took too much memory, and their process has ended"))

    async def _ask(self, command: RefereeCommand | Examine, kind: type[Answer]) -> Answer:
        if self._lost and not isinstance(command, ReadRules):
            raise RefereeError(ENDED)  # another process would know neither the rules nor what was asked before
        self._lost = False
        worker = self._worker = self._worker or await self._taken()
        self._answer = asyncio.get_running_loop().create_future()
        worker.send(command)
        try:
            event = await asyncio.wait_for(self._answer, SECONDS)
        except asyncio.CancelledError:  # who asked has left; the answer is none to the next question
            self._unwanted += 1
            raise
        except TimeoutError:
            worker.kill()
            raise RefereeError(f"the rules were not evaluated within {SECONDS:g} s") from None
        if not isinstance(event, kind):
            raise RefereeError(event.reason if isinstance(event, RefereeFailed) else "the rules' process answers amiss")
        return event

    async def _taken(self) -> Worker:
        try:
            return await self._workers.take(self)
        except OSError as error:
            raise RefereeError(f"no process can be had for the rules now ({error.strerror}); try again") from None
