"""Server-sent events: sections of a page's data, each sent again when it changes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

from aiohttp import web

from agent.page.assets import HEADERS
from agent.page.watching import Signal
from agent.server.connection import connection_of

STREAM = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of a stream; the last one makes nginx pass each event on at once."""
PAUSE = 0.2
"""Minimum seconds between two updates."""
BEAT = 5.0
"""Seconds after which sections are refreshed and a keep-alive is sent, even without a change."""
RESTED = 10.0
"""Pause after encoding the sections, as a multiple of the encoding time; keeps the event loop free."""


Subject = TypeVar("Subject")


async def _nothing(*_: object) -> None:
    pass


class Sections:
    """Sections of a page's data as JSON by name, encoded once for all visitors.

    `make` returns them; `prepare` runs first and does slow work off the event loop.
    """

    def __init__(
        self, signal: Signal, make: Callable[[], Mapping[str, Any]], prepare: Callable[[], Awaitable[None]] = _nothing
    ) -> None:
        self._signal = signal
        self._make = make
        self._prepare = prepare
        self._lock = asyncio.Lock()
        self._texts: Mapping[str, str] = {}
        self._next = 0.0  # earliest time of the next encoding, in seconds of the event loop
        self._due = 0.0  # latest time of the next encoding, even without a change
        self.version = -1  # version of the signal at the last encoding

    async def texts(self) -> Mapping[str, str]:
        """Return the sections as JSON texts.

        They are encoded again if the data has changed or is old, but only after a pause since the last encoding.
        """
        async with self._lock:
            now = asyncio.get_running_loop().time()
            if now >= self._next and (self.version != self._signal.version or now >= self._due):
                await self._prepare()
                self._write()
            return self._texts

    def _write(self) -> None:
        began, loop = time.thread_time(), asyncio.get_running_loop()
        self.version = self._signal.version
        self._texts = {name: json.dumps(value, allow_nan=False) for name, value in self._make().items()}
        self._next = loop.time() + RESTED * (time.thread_time() - began)
        self._due = loop.time() + BEAT


class Shown(Generic[Subject]):
    """Sections by subject, kept as long as something else refers to the subject; for parameters see `Sections`."""

    def __init__(
        self,
        signal: Signal,
        make: Callable[[Subject], Mapping[str, Any]],
        prepare: Callable[[Subject], Awaitable[None]] = _nothing,
    ) -> None:
        self._signal = signal
        self._make = make
        self._prepare = prepare
        self._sections: WeakKeyDictionary[Subject, Sections] = WeakKeyDictionary()

    def of(self, subject: Subject) -> Sections:
        """Return the sections of `subject`; create them on first use. The caller keeps the subject meanwhile."""
        if subject not in self._sections:
            about = ref(subject)  # a reference from the sections would keep the subject for ever
            made = Sections(self._signal, lambda: self._make(_there(about)), lambda: self._prepare(_there(about)))
            self._sections[subject] = made
        return self._sections[subject]


def _there(about: ReferenceType[Subject]) -> Subject:
    subject = about()
    assert subject is not None
    return subject


async def stream(
    request: web.Request, sections: Sections, signal: Signal, closing: asyncio.Event
) -> web.StreamResponse:
    """Send `sections` by name, now and whenever `signal` changes, until the client leaves or the agent stops.

    Each update begins with the event ``time``: the agent's time, in milliseconds since 1970. So a browser whose clock
    is changed meanwhile shows the right time again.
    """
    response = web.StreamResponse(headers={**HEADERS, **STREAM})
    response.force_close()
    await response.prepare(request)
    connection = connection_of(request)
    if connection is None:
        await _tell(response, sections, signal, closing)
        return response
    connection.watching()
    telling = asyncio.ensure_future(_tell(response, sections, signal, closing))
    ending = asyncio.ensure_future(connection.end.wait())  # a client that closes its side has left
    try:
        await asyncio.wait((telling, ending), return_when=asyncio.FIRST_COMPLETED)
        if telling.done():
            telling.result()
    finally:
        telling.cancel()
        ending.cancel()
    return response


async def _tell(response: web.StreamResponse, sections: Sections, signal: Signal, closing: asyncio.Event) -> None:
    sent: dict[str, str] = {}
    while not closing.is_set():
        news = await sections.texts()
        version = sections.version
        changed = {name: text for name, text in news.items() if sent.get(name) != text}
        sent |= changed
        update = {"time": str(round(time.time() * 1000)), **changed} if changed else {}
        lines = "".join(f"event: {name}\ndata: {text}\n\n" for name, text in update.items())
        await response.write((lines or ": alive\n\n").encode())
        await asyncio.sleep(PAUSE)
        await signal.after(version, BEAT)
