"""The process that speaks with a cluster, kept running for an agent."""

import errno

from agent.remote.bridge import bridged
from agent.settings import load_settings
from tests.waiting import until


async def test_a_bridge_for_which_there_is_no_room_is_begun_again_and_again(monkeypatch):
    tried = []

    async def refuse(*command, **_):
        tried.append(command)
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("asyncio.create_subprocess_exec", refuse)
    monkeypatch.setattr("agent.remote.bridge.PAUSE", 0.0)
    async with bridged(load_settings(environment={}, flags={"cluster.address": "host:6379"})) as settings:
        assert settings.cluster.socket
        await until(lambda: len(tried) > 2)
