"""Connection to a Ray cluster, or to a local Ray started here.

Ray waits for minutes if nothing answers, and replaces signal handlers; therefore the address is probed first, and
signal handlers are restored. Usage statistics are never sent. A local Ray listens on loopback only, with its own token.
By default, Ray would store a token in the user's folder, and would then refuse machines without this token.
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
"""The address of a local Ray that ends with the connection."""
AUTO = "auto"
"""The address of this machine's cluster."""
PROBE = 5.0
"""Seconds to wait for an answer at an address."""
LEFT = Path("/tmp/ray/ray_current_cluster")
"""File in which Ray stores the address of this machine's cluster by default."""
LOOPBACK = "127.0.0.1"
STORE = 100 << 20
"""Bytes of the object store of a local Ray; it transports rulesheets and arrays of some megabytes."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}
"""Environment variables of Ray that disable usage statistics and warnings."""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""First bytes of an HTTP/2 connection (RFC 9113): the preface and empty settings. Ray uses gRPC over HTTP/2."""
SETTINGS = 4
"""The type SETTINGS, the fourth byte of the first frame that an HTTP/2 server sends."""


def check_address(address: str) -> None:
    """Check within seconds whether a cluster answers, without importing Ray. Raises ClusterError."""
    if importlib.util.find_spec("ray") is None:
        raise ClusterError("--cluster needs Ray: pip install 'ggp-agent[cluster]'")
    if address == LOCAL:
        return
    place = _own_cluster() if address == AUTO else address
    if address == AUTO and not place:  # Ray reports the error
        return
    _probe(*_host_and_port(place), address)


def check_form(address: str) -> None:
    """Check whether a text may be the address of a cluster. Raises ClusterError."""
    if address not in (LOCAL, AUTO):
        _host_and_port(address)


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise ClusterError(f"{address!r:.80} is not a cluster address: give HOST:PORT, {AUTO} or {LOCAL}")
    return host.strip("[]"), int(port)


def _probe(host: str, port: int, address: str) -> None:
    mend = "start one there with `ray start --head --port=6379`; other machines join with `ray start --address`"
    try:
        with socket.create_connection((host, port), PROBE) as talk:
            talk.sendall(PREFACE)
            answer = talk.recv(9)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClusterError(f"no cluster at {address}: {reason}; {mend}") from None
    if len(answer) < 4 or answer[3] != SETTINGS:
        raise ClusterError(f"the server at {address} is not Ray; {mend}")


@contextlib.contextmanager
def connected(address: str) -> Iterator[ModuleType]:
    """Connect to the cluster at `address` or start a local Ray, and yield the module `ray`. Raises ClusterError.

    Only the main thread may enter this context, and it must not be nested. A local Ray ends with the context.
    """
    check_address(address)
    os.environ.update(QUIET)
    if address == LOCAL and not os.environ.get("RAY_AUTH_MODE"):  # Ray reads these on import
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(16))
    import ray

    if ray.is_initialized():  # the embedding program has connected already
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
    if host in ("localhost", LOOPBACK):  # Ray replaces it by this machine's network address
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
        raise ClusterError(f"cannot connect to cluster {address}: {_first_words(error)}{_hint(error)}") from error


def _own_cluster() -> str:
    """Return the address that Ray has stored for `auto`, or an empty text."""
    with contextlib.suppress(OSError):
        left = os.environ.get("RAY_ADDRESS") or LEFT.read_text().strip()
        return left if re.fullmatch(r"[^\s/]+:\d{1,5}", left) else ""
    return ""


def _first_words(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


def _hint(error: BaseException) -> str:
    if "token" in str(error):
        return "; RAY_AUTH_MODE and ~/.ray/auth_token must be the same on all machines"
    if "ersion" in str(error):
        return "; all machines need the same versions of Ray and Python"
    return "; this machine must be one of its nodes: `ray start --address=HOST:6379`"


@contextlib.contextmanager
def _own_signals() -> Iterator[None]:
    """Restore the signal handlers when the block ends."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            if handler is not None:
                signal.signal(number, handler)
