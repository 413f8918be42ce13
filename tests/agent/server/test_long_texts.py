"""Where long texts of strangers are read."""

import asyncio
import threading

import pytest

from agent.server.long_texts import LONG, READERS, LongTexts


def here():
    return threading.current_thread() is threading.main_thread()


async def test_only_long_texts_are_read_beside_the_event_loop():
    """A short text is read without a thread; a long one does not block other clients."""
    assert await LongTexts().read(here, LONG)
    assert not await LongTexts().read(here, LONG + 1)


async def test_what_reading_raises_comes_to_who_asked():
    """An error of a text reaches its sender from a thread, too."""

    def read():
        raise ValueError("no text")

    for characters in (LONG, LONG + 1):
        with pytest.raises(ValueError, match="no text"):
            await LongTexts().read(read, characters)


async def test_a_few_are_read_at_the_same_time_and_the_others_wait():
    """Many long texts do not share the interpreter with the event loop all at once."""
    texts, reading, most = LongTexts(), [], []
    wait = threading.Event()

    def read():
        reading.append(None)
        most.append(len(reading))
        wait.wait(60)
        reading.pop()

    asked = [asyncio.create_task(texts.read(read, LONG + 1)) for _ in range(READERS + 3)]
    while len(reading) < READERS:
        await asyncio.sleep(0)
    wait.set()
    await asyncio.gather(*asked)
    assert max(most) == READERS


async def test_without_room_for_a_thread_a_long_text_is_still_read(monkeypatch):
    """Every client gets an answer even if the system allows no new thread."""

    async def refused(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(asyncio, "to_thread", refused)
    assert await LongTexts().read(here, LONG + 1)
