"""Before its kernels are compiled the agent takes no match, and says so."""

import asyncio

import pytest

from agent.protocol.read import read_message
from agent.server.matches import Matches
from agent.settings import load_settings
from search.clock import MonotonicClock
from tests.agent.rules import STONES


class Cold:
    """Workers whose kernels are never compiled."""

    warm = False

    async def wait_warm(self):
        await asyncio.Event().wait()


@pytest.fixture
def matches():
    return Matches(load_settings(environment={}), Cold(), MonotonicClock())


async def asked(matches, text):
    return await matches.answer(read_message(text), MonotonicClock().now(), lambda: False)


async def test_info_says_busy_while_kernels_are_compiled(matches):
    assert "(status busy)" in await asked(matches, "(INFO)")


async def test_start_is_answered_busy_at_the_end_of_its_clock(matches):
    assert await asked(matches, f"(START m first ({STONES}) 0.02 1)") == "busy"
    assert await asked(matches, "(PLAY m NIL)") == "busy"
