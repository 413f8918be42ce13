"""Server-sent events: the sections of a page's data, each sent anew when it has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from agent.page.assets import HEADERS
from agent.page.watching import Signal
from agent.server.connection import connection_of

PAUSE = 0.2
"""Seconds between two looks at what has changed."""
BEAT = 5.0
"""Seconds after which a look is due in any case, and a quiet connection is told that it lives."""


async def stream(
    request: web.Request, sections: Callable[[], Mapping[str, Any]], signal: Signal, closing: asyncio.Event
) -> web.StreamResponse:
    """Send `sections` by name, now and whenever `signal` changes, until the reader goes or the agent stops."""
    response = web.StreamResponse(headers={**HEADERS, "Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    response.force_close()
    await response.prepare(request)
    connection = connection_of(request)
    if connection is None:
        await _tell(response, sections, signal, closing)
        return response
    connection.watching()
    telling = asyncio.ensure_future(_tell(response, sections, signal, closing))
    ending = asyncio.ensure_future(connection.end.wait())  # a reader that closes its side has gone
    try:
        await asyncio.wait((telling, ending), return_when=asyncio.FIRST_COMPLETED)
        if telling.done():
            telling.result()
    finally:
        telling.cancel()
        ending.cancel()
    return response


async def _tell(
    response: web.StreamResponse, sections: Callable[[], Mapping[str, Any]], signal: Signal, closing: asyncio.Event
) -> None:
    sent: dict[str, str] = {}
    while not closing.is_set():
        version = signal.version
        news = {name: json.dumps(value, allow_nan=False) for name, value in sections().items()}
        changed = {name: text for name, text in news.items() if sent.get(name) != text}
        sent |= changed
        lines = "".join(f"event: {name}\ndata: {text}\n\n" for name, text in changed.items())
        await response.write((lines or ": alive\n\n").encode())
        await asyncio.sleep(PAUSE)
        await signal.after(version, BEAT)
