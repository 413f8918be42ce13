"""Streams of the page: what each update holds."""

import asyncio
import gc
import weakref

from agent.page import events
from agent.page.watching import Signal


async def test_each_update_of_a_stream_begins_with_the_time_of_the_agent(monkeypatch):
    """So a clock of the page is right again after the clock of its computer was set."""
    closing, signal, times = asyncio.Event(), Signal(), iter((1.0, 2.0, 3.0))
    monkeypatch.setattr(events.time, "time", lambda: next(times))
    written: list[str] = []

    class Response:
        async def write(self, data: bytes) -> None:
            written.append(data.decode())
            if len(written) == 2:
                closing.set()
            signal.change()

    sections = events.Sections(signal, lambda: {"steps": len(written)})
    await events._tell(Response(), sections, signal, closing)
    assert written == [f"event: time\ndata: {1000 * n}\n\nevent: steps\ndata: {n - 1}\n\n" for n in (1, 2)]


async def test_what_a_page_has_shown_is_not_kept_when_nothing_else_needs_it():
    class Game:
        prepared = 0

        async def prepare(self) -> None:
            self.prepared += 1

    shown: events.Shown[Game] = events.Shown(Signal(), lambda game: {"prepared": game.prepared}, Game.prepare)
    game = Game()
    assert await shown.of(game).texts() == {"prepared": "1"}
    assert shown.of(game) is shown.of(game)
    about = weakref.ref(game)
    del game
    gc.collect()
    assert about() is None
