"""What all tests of the agent begin with."""

import pytest
import structlog

from agent.server.workers import Workers
from agent.settings import to_dict
from tests.agent.seed import SEED


@pytest.fixture(autouse=True)
def _plain_log():
    """A log as structlog has it by default: what an earlier test set up writes to streams that are gone."""
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _forked_fork_server(request, monkeypatch):
    """Agents in the test's own process get their fork server from the seed, unless the test says otherwise."""
    if request.node.get_closest_marker("own_fork_server") is None:
        monkeypatch.setattr(Workers, "_spawn", lambda self, control: SEED.spawn(to_dict(self._settings), control))
