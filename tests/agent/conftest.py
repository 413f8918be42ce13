"""What all tests of the agent begin with."""

import pytest
import structlog


@pytest.fixture(autouse=True)
def _plain_log():
    """A log as structlog has it by default: what an earlier test set up writes to streams that are gone."""
    structlog.reset_defaults()
