"""A Ray cluster on this machine: a head without processors, and nodes of one processor that come and go."""

import importlib.util
import os
import secrets
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

NODE = {"object_store_memory": 80 << 20, "include_log_monitor": False}
"""Nearly the least memory that Ray takes, in bytes."""
HEAD = {"num_cpus": 0, "include_dashboard": False, "no_monitor": True, **NODE}
"""Nobody reads the nodes' logs, and nobody scales them: what does so else looks several times a second."""
ENVIRONMENT = {
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(16),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


@contextmanager
def own_signals():
    """A node that is started here takes over SIGTERM."""
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)


class Nodes:
    """The cluster's nodes of one processor each."""

    def __init__(self, cluster):
        self._cluster = cluster
        self.address = cluster.address
        self._running = []

    def needed(self, count):
        """See that there are exactly so many nodes, and that the head knows so."""
        while len(self._running) < count:
            with own_signals():
                self._running.append(self._cluster.add_node(num_cpus=1, **NODE))
        while len(self._running) > count:
            self.kill()
        self._cluster.wait_for_nodes()

    def kill(self):
        """As a power cut would."""
        self._cluster.remove_node(self._running.pop(), allow_graceful=False)


def pytest_collection_modifyitems(items):
    """A node that begins loads all that its actors play with; two may at once, on processors that others want."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(240))


@pytest.fixture(scope="session", autouse=True)
def _environment():
    """Before Ray is imported, which reads it then."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="package")
def cluster():
    """Ended with the last of these tests, as its processes are never at rest."""
    from ray.cluster_utils import Cluster

    with own_signals():
        made = Cluster(initialize_head=True, head_node_args=HEAD)
    yield Nodes(made)
    made.shutdown()


@pytest.fixture(autouse=True)
def _ray():
    """Skips where there is no Ray; sees that a test leaves this process unconnected, as the next one would find it."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("the extra cluster is not installed: pip install 'ggp-agent[cluster]'")
    yield
    assert "ray" not in sys.modules or not sys.modules["ray"].is_initialized()
    assert os.environ.get("RAY_ADDRESS") is None
