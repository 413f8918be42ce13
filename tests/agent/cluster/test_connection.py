import contextlib
import signal
import socket
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cluster.connection import check_address, connected
from agent.cluster.errors import ClusterError
from agent.cluster.source import check_source, own_source
from tests.ports import quiet_port


@contextlib.contextmanager
def listening(answer):
    """The address of a server that answers whatever it is told."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            talk, _ = server.accept()
            with talk:
                talk.recv(100)
                talk.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_an_address_where_nobody_listens_is_reported_at_once():
    refused = r"no cluster at 127\.0\.0\.1:.*refused; start one there with `ray start --head"
    with pytest.raises(ClusterError, match=refused):
        check_address(f"127.0.0.1:{quiet_port()}")


def test_a_server_that_is_no_ray_is_reported_at_once():
    with listening(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address, pytest.raises(ClusterError, match="is not Ray"):
        check_address(address)


@pytest.mark.parametrize("address", ["", "here", "host:", "host:0x1", "host:70000", ":6379"])
def test_what_is_no_address_is_reported(address):
    with pytest.raises(ClusterError, match="is not a cluster address: give HOST:PORT, auto or local"):
        check_address(address)


def test_without_ray_the_command_says_what_to_install(monkeypatch, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('games = ["nim"]\n[players]\na = "legal"')
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["tournament", str(plan), "--cluster", "local"])
    assert (result.exit_code, result.output) == (1, "Error: --cluster needs Ray: pip install 'ggp-agent[cluster]'\n")


def test_nothing_of_ray_is_loaded_without_it():
    rooms = "agent.cli.tournament, agent.cli.serve, agent.serve, agent.worker.process"
    script = f"import sys, {rooms}; print('ray' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_a_cluster_of_this_machine_that_has_ended_is_reported_at_once(monkeypatch, tmp_path):
    left = tmp_path / "ray_current_cluster"
    left.write_text(f"127.0.0.1:{quiet_port()}")
    monkeypatch.setattr("agent.cluster.connection.LEFT", left)
    with pytest.raises(ClusterError, match="no cluster at auto"):
        check_address("auto")


def test_the_same_agent_is_known_by_its_source():
    check_source(own_source())
    with pytest.raises(ClusterError, match="install the same"):
        check_source("0.1.0 (other)")


@pytest.mark.long  # a real cluster
def test_the_handlers_of_signals_stay_as_they_are(cluster):
    def handler(*_):
        pass

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with connected(cluster.address) as ray:
            assert ray.is_initialized()
            assert signal.getsignal(signal.SIGTERM) is handler
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)
