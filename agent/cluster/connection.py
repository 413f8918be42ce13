"""The connection to a Ray cluster, or to a Ray of this machine's own: the one way that the agent comes to Ray.

Ray waits for minutes where nothing answers, and takes over signals; here the address is tried first, and signals stay
whose they were. Usage statistics are never sent. A Ray of this machine's own listens on loopback only, with a secret of
its own: the one that Ray would else leave in the user's folder shuts out machines that have none.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import secrets
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from agent.cluster.errors import ClusterError
from reasoner.platform_calls import usable_processors

LOCAL = "local"
"""The address of a Ray that is started here, and ends with the connection."""
AUTO = "auto"
"""The address of the cluster that this machine is a node of."""
PROBE = 5.0
"""Seconds that something at an address may take to answer."""
LEFT = Path("/tmp/ray/ray_current_cluster")
"""Where Ray leaves the address of the cluster that this machine is a node of, by default."""
LOOPBACK = "127.0.0.1"
STORE = 100 << 20
"""Bytes of the object store of a local Ray: what passes through it are rulesheets and arrays of some megabytes."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}
"""What Ray reads from the environment: nobody is told of us, and nothing is said that nobody asked for."""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""How a client of HTTP/2, which Ray's gRPC is, begins (RFC 9113): the preface and empty settings; a server answers."""
SETTINGS = 4
"""The type of the frame that a server begins with, in its fourth byte."""


def check_address(address: str) -> None:
    """See within seconds that a cluster may be there. Raises ClusterError; nothing is started, and Ray not imported."""
    if importlib.util.find_spec("ray") is None:
        raise ClusterError("--cluster needs Ray: pip install 'ggp-agent[cluster]'")
    if address == LOCAL:
        return
    place = _own_cluster() if address == AUTO else address
    if address == AUTO and not place:  # Ray says itself what is wrong
        return
    host, _, port = place.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise ClusterError(f"{address!r:.80} is no address of a cluster: give HOST:PORT, {AUTO} or {LOCAL}")
    _probe(host.strip("[]"), int(port), address)


def _probe(host: str, port: int, address: str) -> None:
    mend = "there `ray start --head --port=6379` begins one, and each other machine joins it by `ray start --address`"
    try:
        with socket.create_connection((host, port), PROBE) as talk:
            talk.sendall(PREFACE)
            answer = talk.recv(9)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClusterError(f"no cluster at {address}: {reason}; {mend}") from None
    if len(answer) < 4 or answer[3] != SETTINGS:
        raise ClusterError(f"what listens at {address} is no Ray; {mend}")


@contextlib.contextmanager
def connected(address: str) -> Iterator[ModuleType]:
    """Ray, connected to the cluster at `address`, or to a Ray of this machine's own. Raises ClusterError.

    To be entered by the main thread, and once at a time in a process. What was started for it ends with it.
    """
    check_address(address)
    os.environ.update(QUIET)
    if address == LOCAL and not os.environ.get("RAY_AUTH_MODE"):  # Ray reads them when it is imported
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(16))
    import ray

    if ray.is_initialized():  # whoever embeds this has connected before
        yield ray
        return
    with _own_signals():
        _connect(ray, address)
    try:
        yield ray
    finally:
        with _own_signals():
            ray.shutdown()


def _connect(ray: ModuleType, address: str) -> None:
    host, _, port = address.rpartition(":")
    if host in ("localhost", LOOPBACK):  # Ray takes this machine's own address in its place
        _probe(ray.util.get_node_ip_address(), int(port), address)
    own = {"num_cpus": usable_processors(), "object_store_memory": STORE, "_node_ip_address": LOOPBACK}
    try:
        ray.init(
            address=address,
            include_dashboard=False if address == LOCAL else None,
            log_to_driver=False,
            logging_level="error",
            configure_logging=False,
            **(own if address == LOCAL else {}),
        )
    except (ray.exceptions.RayError, RuntimeError, ValueError, OSError) as error:
        raise ClusterError(f"no way into the cluster at {address}: {_first_words(error)}{_hint(error)}") from error


def _own_cluster() -> str:
    """The address that Ray has left for `auto`; empty where it has left none."""
    with contextlib.suppress(OSError):
        left = os.environ.get("RAY_ADDRESS") or LEFT.read_text().strip()
        return left if re.fullmatch(r"[^\s/]+:\d{1,5}", left) else ""
    return ""


def _first_words(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


def _hint(error: BaseException) -> str:
    if "token" in str(error):
        return "; RAY_AUTH_MODE and ~/.ray/auth_token must be here what they are there"
    if "ersion" in str(error):
        return "; all machines need the same versions of Ray and Python"
    return "; this machine must be one of its nodes: `ray start --address=HOST:6379`"


@contextlib.contextmanager
def _own_signals() -> Iterator[None]:
    """Whatever is done to the handlers of signals meanwhile is undone."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            if handler is not None:
                signal.signal(number, handler)
