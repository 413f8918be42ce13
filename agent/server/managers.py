"""Addresses of the managers of the running matches: two managers may choose the same match id."""

from __future__ import annotations

from agent.server.rate import network_of


class Managers:
    """The address that has started each running match; None: the agent's own page. Resumed matches have none."""

    def __init__(self) -> None:
        self._addresses: dict[str, str | None] = {}

    def started(self, match_id: str, sender: str | None) -> None:
        """Store the sender of a START."""
        self._addresses[match_id] = sender and network_of(sender)

    def ended(self, match_id: str) -> None:
        """Forget a match."""
        self._addresses.pop(match_id, None)

    def others(self, match_id: str, sender: str | None) -> bool:
        """Whether a match is known to be of another manager than `sender`."""
        address = sender and network_of(sender)
        return self._addresses.get(match_id, address) != address
