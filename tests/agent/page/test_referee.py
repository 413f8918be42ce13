"""The process that keeps a game's rules, asked by the page."""

import asyncio

import pytest

from agent.page.errors import RefereeError
from agent.page.referee import Referee


class Silent:
    """A process that never answers."""

    killed = False

    def send(self, _):
        pass

    def kill(self):
        self.killed = True


async def test_a_process_that_ends_just_as_its_time_is_over_is_one_clear_error(monkeypatch):
    worker = Silent()

    class Workers:
        async def take(self, _):
            return worker

    referee = Referee(Workers())

    async def too_late(*_):
        referee.died()
        raise TimeoutError

    monkeypatch.setattr(asyncio, "wait_for", too_late)
    with pytest.raises(RefereeError, match="were not evaluated within"):
        await referee.begin(1)
    assert worker.killed
