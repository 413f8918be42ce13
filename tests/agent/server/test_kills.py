"""Processes killed at any moment around messages, on the event loop that serves: no answer is an error."""

import asyncio
import contextlib
import gc
import os
import random
import signal

import pytest
from structlog.testing import capture_logs

from agent.gamemaster.rulesheet import Rulesheet
from bench.soak import Bout, Tally
from tests.agent.rules import STONES
from tests.agent.server.client import agent

pytestmark = pytest.mark.long  # dozens of killed processes

KILLS = 80
FORK_SERVERS = 2
"""Kills among those that are of the fork server, which takes some tenths of a second to be there again."""
LONG = 200.0
"""Seconds that all of it may take; it takes some."""
SOON = 0.004
"""Seconds after a message within which a process is killed: a worker takes about as long to answer."""


class Killer:
    """Kills one process of an agent's around each message, by chance a match's, the spare one, or the fork server."""

    def __init__(self, agent, rng):
        self._agent, self._rng = agent, rng
        self._until_server = self._pause = KILLS // (FORK_SERVERS + 1)
        self._due = False  # whether somebody is to be killed soon
        self.kills = 0

    def strike(self):
        """Kill somebody now or soon, one after the other: a message may cost three workers, and no more."""
        if not self._due:
            self._due = True
            delay = max(0.0, self._rng.random() - 0.25) * SOON
            asyncio.get_running_loop().call_later(delay, self._kill)

    def _kill(self):
        workers, self._due = self._agent.workers, False
        self._until_server -= 1
        if not self._until_server:
            self._until_server = self._pause
            self._end(workers.process.pid)
        else:
            found = [*workers.alive, *([workers.spare] if workers.spare else [])]
            if born := [worker.pid for worker in found if worker.pid is not None]:
                self._end(self._rng.choice(born))

    def _end(self, pid):
        with contextlib.suppress(ProcessLookupError):  # killed already, and the agent has not noticed
            os.kill(pid, signal.SIGKILL)
            self.kills += 1


async def storm(faults):
    """Matches until so many processes were killed."""
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    rng, tally = random.Random(7), Tally()
    async with asyncio.timeout(LONG), agent() as a:
        killer = Killer(a, rng)

        async def strike(_turn):
            killer.strike()

        while killer.kills < KILLS:
            killer.strike()
            bout = Bout(a, "m", Rulesheet("stones", STONES), (60.0, 60.0), f"{tally.matches}")
            await bout.begin(tally)
            await bout.turns(tally, before=strike)
            assert await bout.finish() == "done"
        assert tally.illegal == []
        await a.until_info_says("available")
    gc.collect()  # what a task has raised and nobody has read is told when the task goes


async def test_kills_at_any_moment_cost_no_legal_answer_and_leave_no_traceback(capfd, monkeypatch):
    monkeypatch.setattr("agent.server.workers.PAUSE", 0.01)
    monkeypatch.setattr("agent.server.workers.SETTLED", 0.01)
    monkeypatch.setattr("agent.server.vacancy.RETRY", 0.01)
    faults = []
    gc.collect()  # reports the errors of unread tasks of earlier tests, which are not the agent's
    with capture_logs() as logs:
        await storm(faults)
    assert faults == []
    assert [{**entry, "exc_info": str(entry["exc_info"])} for entry in logs if entry.get("exc_info")] == []
    assert "Traceback" not in "".join(capfd.readouterr())
