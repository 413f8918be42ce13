"""Worker processes kept ready, so that a match need not wait until everything is imported."""

from __future__ import annotations

import asyncio

import structlog

from agent.errors import SpecError
from agent.server.worker import Event, Listener, Worker
from agent.settings import Settings

REST = 1.0
"""Seconds a worker may take to end its match before it is ended itself."""
PAUSE = 1.0
"""Seconds until the next attempt when a worker did not come up."""


class Pool:
    """Keeps `worker.spare` processes warm, each the result of a task that makes it.

    A worker whose match is over serves again only when none is warm: a fresh process has nothing left over.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._spares: list[asyncio.Task[Worker]] = []
        self._alive: set[Worker] = set()  # busy ones too
        self._takers = 0
        self._closed = False

    @property
    def warm(self) -> bool:
        """Whether a match could begin at once."""
        return bool(self._warm())

    async def take(self) -> Worker:
        """A warm worker; waits for one when there is none. Raises SpecError when the player cannot be made."""
        self._takers += 1
        try:
            while True:
                ready = next((task for task in self._spares if task.done()), None)
                if ready is None:
                    self.refill()
                    await asyncio.wait(self._spares, return_when=asyncio.FIRST_COMPLETED)
                    continue
                self._spares.remove(ready)
                if (worker := ready.result()) in self._alive:
                    return worker
        finally:
            self._takers -= 1

    def refill(self) -> None:
        """Begin to make as many workers as are missing: the spare ones and those waited for."""
        while len(self._spares) < self._settings.worker.spare + self._takers and not self._closed:
            self._add(asyncio.create_task(self._make()))

    async def wait_warm(self) -> None:
        """Wait until a worker is warm. Raises SpecError when the player cannot be made."""
        self.refill()
        await asyncio.wait(self._spares, return_when=asyncio.FIRST_COMPLETED)
        for task in self._spares:
            if task.done():
                task.result()

    def give_back(self, worker: Worker) -> None:
        """Take back a worker whose match is over."""
        worker.listener = _Greeting()
        if self._closed or self.warm or not self._settings.worker.spare:
            worker.kill()
        else:
            self._add(asyncio.create_task(self._rest(worker)))

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        for task in self._spares:
            task.cancel()
        for worker in self._alive:
            worker.kill()
        await asyncio.gather(*self._spares, *(worker.closed() for worker in self._alive), return_exceptions=True)

    def _add(self, task: asyncio.Task[Worker]) -> None:
        self._spares.append(task)
        task.add_done_callback(lambda _: self._trim())

    def _trim(self) -> None:
        """End the oldest of more warm workers than wanted."""
        warm = self._warm()
        for task in warm[: max(len(warm) - self._settings.worker.spare - self._takers, 0)]:
            self._spares.remove(task)
            task.result().kill()

    def _warm(self) -> list[asyncio.Task[Worker]]:
        done = [task for task in self._spares if task.done() and not task.cancelled()]
        return [task for task in done if task.exception() is None and task.result() in self._alive]

    async def _make(self) -> Worker:
        """A new worker that has said hello."""
        while True:
            greeting = _Greeting()
            try:
                worker = await self._spawn(greeting)
                event = await greeting.next()
            except OSError as error:
                event = {"is": "died", "reason": str(error)}
            if event["is"] == "hello":
                return worker
            if event["is"] == "unusable":
                raise SpecError(event["reason"])
            structlog.get_logger().error("a worker did not come up", **event)
            await asyncio.sleep(PAUSE)

    async def _rest(self, worker: Worker) -> Worker:
        """A worker that has ended its match; a new one if it does not do so soon."""
        worker.listener = greeting = _Greeting()
        worker.send({"do": "stop"})
        try:
            async with asyncio.timeout(REST):
                while (event := await greeting.next())["is"] not in ("idle", "died"):
                    pass  # what it still had to say about its match
        except TimeoutError:
            event = {"is": "late"}
        if event["is"] == "idle":
            return worker
        worker.kill()
        return await self._make()

    async def _spawn(self, listener: Listener) -> Worker:
        worker = await Worker.spawn(self._settings, listener)
        self._alive.add(worker)
        worker.when_closed(self._alive.discard)
        return worker


class _Greeting(Listener):
    """The events of a worker that has no match, to be waited for."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    async def next(self) -> Event:
        """The next event; the process's end is one."""
        return await self._events.get()

    def heard(self, event: Event) -> None:
        self._events.put_nowait(event)

    def died(self, code: int) -> None:
        self._events.put_nowait({"is": "died", "code": code})
