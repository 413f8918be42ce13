"""TLS handshake of a new connection, within the limits of the gate."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from typing import cast

from agent.server.connection import Connection
from agent.server.gate import ConnectionState, Gate

SECONDS = 10.0
"""Maximum seconds of a handshake."""


class Handshake(asyncio.Protocol):
    """Makes `connection` the protocol of an encrypted transport; represents it in the gate during the handshake.

    asyncio's own TLS servers report a connection only after its handshake, so that one client could open any number of
    connections.
    """

    standing = ConnectionState.RECEIVING
    received = 0
    ended = False
    for_page = False
    address: str | None = None

    def __init__(self, connection: Connection, secure: ssl.SSLContext, gate: Gate) -> None:
        self._connection, self._secure, self._gate = connection, secure, gate
        self._socket: socket.socket | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the socket from its plain transport, enter the gate and start the handshake."""
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if isinstance(peer, tuple) else None
        if self._gate.enter(self, self.address) is None:
            self._socket = copy = transport.get_extra_info("socket").dup()
            self._task = asyncio.create_task(self._secured(copy))
        cast(asyncio.Transport, transport).abort()

    def send_away(self, _status: int, _text: str) -> None:
        """End the connection during its handshake; the client could not read an answer."""
        if self._socket is not None and not self._connection.made:
            with contextlib.suppress(OSError):  # closed already
                self._socket.shutdown(socket.SHUT_RDWR)

    async def _secured(self, copy: socket.socket) -> None:
        copy.setblocking(False)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self._connection, copy, ssl=self._secure, ssl_handshake_timeout=SECONDS
            )
        except OSError:  # the client left, or does not speak TLS
            copy.close()
        finally:
            self._gate.leave(self)
