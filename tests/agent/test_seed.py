"""The process that the tests' fork servers come from outlives agents that are closed while they start."""

import asyncio
import os
import signal
import socket

import pytest

from agent.settings import load_settings, to_dict
from reasoner.platform_calls import LINUX, SYSTEM
from tests.agent.seed import Seed

pytestmark = pytest.mark.skipif(SYSTEM != LINUX, reason="fork servers come from the seed on Linux only")

SETTINGS = to_dict(load_settings(environment={}, flags={"player.spec": "legal", "worker.engine": "relational"}))


async def test_an_agent_closed_before_its_fork_server_starts_passes_the_seed_on():
    seed = Seed()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        fork = await seed.spawn(SETTINGS, theirs)
        os.kill(seed.process.pid, signal.SIGSTOP)
        closed = asyncio.create_task(seed.spawn(SETTINGS, theirs))
        await asyncio.sleep(0)  # it has asked
        closed.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closed
        os.kill(seed.process.pid, signal.SIGCONT)
        async with asyncio.timeout(60):
            other = await seed.spawn(SETTINGS, theirs)
        for each in (fork, other):
            each.kill()
            await each.wait()
