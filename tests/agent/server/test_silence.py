"""A match that no STOP ends, on an event loop whose clock the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.protocol.read import read_message
from agent.server.matches import Matches
from agent.server.workers import Workers
from agent.settings import load_settings
from search.clock import MonotonicClock
from tests.agent.rules import STONES

START_CLOCK, PLAY_CLOCK = 30, 15
SILENCE = START_CLOCK + 10 * PLAY_CLOCK


class Loop(asyncio.SelectorEventLoop):
    """Python's own event loop, in which time can be skipped."""

    skipped = 0.0

    def time(self) -> float:
        """Seconds, those skipped included."""
        return super().time() + self.skipped


class Manager:
    """Speaks to the matches of an agent, without HTTP."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def ask(self, text: str) -> str:
        """The answer to a message that has just come."""
        return await self._matches.answer(read_message(text), MonotonicClock().now(), lambda: False)

    async def start(self) -> str:
        """The answer to START."""
        return await self.ask(f"(START m first ({STONES}) {START_CLOCK} {PLAY_CLOCK})")

    async def wait(self, seconds: float) -> None:
        """Let seconds pass, and what is due in them happen."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        loop.skipped += seconds
        for _ in range(3):  # a timer is found due in one round of the loop and runs in the next
            await asyncio.sleep(0)


async def between_messages(*silences: Sequence[float]) -> list[str]:
    """The answers to PLAY after each of these silences, in one match. The loop runs after each part of a silence."""
    settings = load_settings(environment={}, flags={"player.spec": "legal", "worker.engine": "relational"})
    workers = Workers(settings)
    try:
        matches = Matches(settings, workers, MonotonicClock())
        manager = Manager(matches)
        assert await manager.start() == "ready"
        answers = []
        for silence in silences:
            for seconds in silence:
                await manager.wait(seconds)
            answers.append(await manager.ask("(PLAY m NIL)"))
        matches.close()
        return answers
    finally:
        await workers.close()


def answers_after(*silences: Sequence[float]) -> list[str]:
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(between_messages(*silences))


def test_a_match_lives_through_silence_up_to_its_start_clock_and_ten_play_clocks():
    assert answers_after([SILENCE - 5]) == ["(take 1)"]


def test_a_match_is_dropped_after_more_silence():
    assert answers_after([SILENCE, 2]) == ["busy"]


def test_messages_that_wait_when_a_paused_machine_goes_on_are_answered():
    """Its timers are due before it has read a socket."""
    assert answers_after([SILENCE + 600]) == ["(take 1)"]


def test_every_message_begins_the_silence_again():
    assert answers_after([SILENCE - 5], [SILENCE - 5], [SILENCE, 2]) == ["(take 1)", "(take 1)", "busy"]
