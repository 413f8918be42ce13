"""A START beside running matches: it waits for a match that was left, and no longer than it must."""

import asyncio

from structlog.testing import capture_logs

from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until


async def test_a_manager_that_sends_no_stop_plays_its_next_match():
    async with agent(server__takeover=0.0, clock__use_start=False) as a:
        assert await a.start(STONES, "first", "9 0.3") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.start(STONES, "first", "30 9", match="next") == "ready"
        assert await a.ask("(PLAY next NIL)") == "(take 1)"
        assert await a.ask("(PLAY m NIL)") == "busy"


async def test_a_start_is_busy_as_soon_as_the_running_match_continues():
    async with agent(server__takeover=0.0, clock__use_start=False) as a:
        assert await a.start(STONES, "first", "9 9") == "ready"
        waiting = asyncio.create_task(a.start(STONES, "first", "600 9", match="next"))
        starts = a.matches.metrics.messages.labels("start")._value
        await until(lambda: starts.get() == 2)
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        async with asyncio.timeout(5):
            assert await waiting == "busy"


async def test_a_start_whose_clock_ends_before_the_running_match_may_be_replaced_is_busy_at_once():
    async with agent(clock__use_start=False) as a:
        assert await a.start(STONES, "first", "9 600") == "ready"
        async with asyncio.timeout(5):
            assert await a.start(STONES, "first", "500 9", match="next") == "busy"


async def test_a_start_of_the_same_match_for_another_role_warns_that_an_agent_plays_one_role():
    async with agent() as a:
        with capture_logs() as entries:
            assert await a.start(STONES, "first") == "ready"
            assert await a.start(STONES, "second") == "ready"
            assert any("plays one role of a match" in entry["event"] for entry in entries)
            assert await a.ask("(PLAY m NIL)") == "noop"
            assert sum("plays one role" in entry["event"] for entry in entries) == 1
            assert await a.start(STONES, "first") == "ready"  # the manager has begun again
            assert sum("plays one role" in entry["event"] for entry in entries) == 1
