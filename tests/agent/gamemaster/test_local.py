import asyncio
import os
import signal
import sys
import tempfile

import pytest

from agent.gamemaster import local
from agent.gamemaster.errors import PlayerError
from agent.gamemaster.local import Agents, LocalAgent
from agent.gamemaster.player import RemotePlayer, session
from tests.waiting import until

STUB = (sys.executable, "-m", "tests.agent.gamemaster.stub_agent")


def group_is_empty(leader):
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return True
    return False


async def test_agents_are_started_and_stopped():
    agents = Agents(["legal", "legal"], STUB)
    async with agents as running, session() as http:
        urls = {agent.url for agent in running}
        assert len(urls) == 2
        for url in urls:
            assert (await RemotePlayer(http, "x", url).info())["name"] == "fake"
    assert all(agent.died for agent in agents.running)


async def test_an_agent_that_does_not_start_is_reported_with_the_end_of_its_log():
    agents = Agents(["legal", "broken"], STUB)
    with pytest.raises(PlayerError, match=r"the player broken did not start\.\n  the settings are wrong"):
        await agents.__aenter__()
    assert all(agent.died for agent in agents.running)


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), BlockingIOError(11, "no more processes")])
async def test_limits_under_which_no_process_starts_are_named(monkeypatch, error):
    async def refused(*_, **__):
        raise error

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with pytest.raises(PlayerError, match=r"no process can be started for the player legal: .*ulimit"):
        await LocalAgent.launch("legal")


async def test_what_an_agent_tells_of_compiling_is_passed_on():
    told = []
    async with Agents(["compiling"], STUB, progress=lambda *numbers: told.append(numbers)) as running:
        assert running[0].url.startswith("http://")
    assert told == [(3, 9), (8, 9)]


async def test_an_agent_that_never_listens_is_given_up(monkeypatch):
    monkeypatch.setattr(local, "START_SECONDS", 0.05)
    with pytest.raises(PlayerError, match=r"did not start within 0\.05 s"):
        await Agents(["mute"], STUB).__aenter__()


async def test_an_agent_that_ignores_the_end_is_killed_with_its_children(monkeypatch):
    monkeypatch.setattr(local, "END_SECONDS", 0.05)
    async with Agents(["stubborn"], STUB) as running:
        leader = running[0].pid
    assert running[0].died
    await until(lambda: group_is_empty(leader))  # the kernel needs a moment to bury the grandchild


async def test_a_program_that_outlives_its_agent_is_not_waited_for():
    """It leaves the group of the agent, and holds its output."""
    agents = Agents(["leaving"], STUB)
    (agent,) = await agents.__aenter__()
    program = int(agent.tail())
    stopping = asyncio.create_task(agents.__aexit__())
    try:
        await until(stopping.done)
    finally:
        os.kill(program, signal.SIGKILL)


async def test_an_early_end_is_noticed_at_once_even_if_a_program_outlives_the_agent():
    starting = asyncio.create_task(Agents(["left"], STUB).__aenter__())
    await until(starting.done)
    with pytest.raises(PlayerError, match="the settings are wrong") as caught:
        await starting
    os.kill(int(str(caught.value).splitlines()[1]), signal.SIGKILL)


async def test_agents_are_stopped_when_the_session_fails():
    agents = Agents(["legal"], STUB)
    with pytest.raises(ZeroDivisionError):
        async with agents:
            raise ZeroDivisionError
    assert agents.running[0].died


async def test_an_agent_ends_with_a_manager_that_is_killed():
    code = """
import asyncio
from agent.gamemaster.local import Agents
from tests.agent.gamemaster.test_local import STUB
async def hold():
    async with Agents(["legal"], STUB) as running:
        print(running[0].pid, flush=True)
        await asyncio.Event().wait()
asyncio.run(hold())
"""
    manager = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert manager.stdout is not None
    leader = int(await manager.stdout.readline())
    assert not group_is_empty(leader)
    manager.kill()
    await manager.wait()
    await until(lambda: group_is_empty(leader))


async def test_to_read_the_log_of_an_agent_leaves_it_where_it_writes():
    """The place in the file is one for both processes: moved, the agent would write over its first lines."""
    with tempfile.TemporaryFile() as log:
        os.write(log.fileno(), b"one\ntwo\n")
        os.lseek(log.fileno(), 4, os.SEEK_SET)
        assert LocalAgent("legal", None, log, asyncio.StreamReader()).tail() == "\n  one\n  two"
        assert os.lseek(log.fileno(), 0, os.SEEK_CUR) == 4
