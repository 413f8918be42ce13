"""Ports for what must know its port before it listens."""

import os
import socket

LOWEST = 20_000
LENT = 32_768
"""From here on a system gives ports to who asks for any; below nobody gets one by chance."""


def quiet_port() -> int:
    """A port of 127.0.0.1 where nobody listens; another process of the tests begins to look elsewhere."""
    ports = range(LOWEST, LENT)
    first = os.getpid() * 97 % len(ports)
    for port in (*ports[first:], *ports[:first]):
        with socket.socket() as free:
            if free.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("all ports are taken")
