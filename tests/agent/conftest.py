"""What all tests of the agent begin with."""

import asyncio
from pathlib import Path

import pytest
import structlog

from agent.cli.serve import loop_factory
from agent.server.workers import Workers
from agent.settings import to_dict
from reasoner.platform_calls import LINUX, SYSTEM

SPAWN = Workers._spawn
"""The start of a fork server, as it is outside of tests."""


def pytest_asyncio_loop_factories():
    """The loop that an agent is served in; uvloop's leaves descriptors open to the processes that it starts."""
    return {"as served": loop_factory() or asyncio.new_event_loop}


@pytest.fixture(autouse=True)
def _plain_log():
    """A log as structlog has it by default: what an earlier test set up writes to streams that are gone."""
    structlog.reset_defaults()


@pytest.fixture(scope="module", autouse=True)
def _forked_fork_servers(request):
    """Agents in this process, also those of a whole file, get their fork server from the starter."""

    async def spawn(self, control):
        return await request.getfixturevalue("loading_starter").fork_server(to_dict(self._settings), control)

    with pytest.MonkeyPatch.context() as patch:
        if SYSTEM == LINUX:  # else there are no sockets that keep messages apart
            patch.setattr(Workers, "_spawn", spawn)
        yield


@pytest.fixture(autouse=True)
def _own_fork_server(request, monkeypatch):
    """Where a test is about the start itself, it is real."""
    if request.node.get_closest_marker("own_fork_server") is not None:
        monkeypatch.setattr(Workers, "_spawn", SPAWN)


@pytest.fixture
def homeless(monkeypatch):
    """A user without a home folder, as in a container with a user id of its own."""

    def none():
        raise RuntimeError("Could not determine home directory.")

    for variable in ("STATE_DIRECTORY", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", none)
