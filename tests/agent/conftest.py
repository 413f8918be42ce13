"""What all tests of the agent begin with."""

import pytest
import structlog

from agent.server.workers import Workers
from agent.settings import to_dict
from reasoner.platform_calls import LINUX, SYSTEM
from tests.agent.seed import SEED

SPAWN = Workers._spawn
"""The start of a fork server, as it is outside of tests."""


@pytest.fixture(autouse=True)
def _plain_log():
    """A log as structlog has it by default: what an earlier test set up writes to streams that are gone."""
    structlog.reset_defaults()


@pytest.fixture(scope="module", autouse=True)
def _forked_fork_servers():
    """Agents in this process, also those of a whole file, get their fork server from the seed."""
    with pytest.MonkeyPatch.context() as patch:
        if SYSTEM == LINUX:  # else there are no sockets that keep messages apart
            patch.setattr(Workers, "_spawn", lambda self, control: SEED.spawn(to_dict(self._settings), control))
        yield


@pytest.fixture(autouse=True)
def _own_fork_server(request, monkeypatch):
    """Where a test is about the start itself, it is real."""
    if request.node.get_closest_marker("own_fork_server") is not None:
        monkeypatch.setattr(Workers, "_spawn", SPAWN)
