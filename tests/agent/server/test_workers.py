"""A worker is kept ready, so that a match's first clock does not pay for a process."""

import asyncio
import os
import signal

from tests.agent.rules import STONES
from tests.agent.server.client import agent


async def spare(workers):
    """The worker that is kept ready, once it has been born."""
    while workers.spare is None or workers.spare.pid is None:
        await asyncio.sleep(0.01)
    return workers.spare


async def test_a_match_takes_the_worker_that_is_ready_and_the_next_is_made_after_its_first_answer():
    async with agent() as a:
        ready = await spare(a.workers)
        assert ready not in a.workers.alive
        assert await a.start(STONES, "first") == "ready"
        assert ready in a.workers.alive
        assert await spare(a.workers) is not ready
        assert len(a.workers.alive) == 1


async def test_a_match_begins_with_a_worker_of_its_own_where_the_ready_one_was_killed():
    async with agent() as a:
        ready = await spare(a.workers)
        os.killpg(ready.pid, signal.SIGKILL)
        await ready.closed()
        assert await a.start(STONES, "first") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"


async def test_no_worker_is_left_when_the_agent_stops():
    async with agent() as a:
        ready = await spare(a.workers)
    await ready.closed()
    assert a.workers.process.returncode is not None
