"""Addresses of the managers of the running matches: two managers may choose the same match id."""

from __future__ import annotations

from agent.server.rate import network_of

MAX_REFUSED = 1_000
"""Maximum addresses that are stored for a match."""


def manager_of(sender: str | None) -> str | None:
    """Return the network of a manager's address; None: the agent's own page."""
    return sender and network_of(sender)


class Managers:
    """The manager that has started each running match; a match from a journal of an earlier version has none."""

    def __init__(self) -> None:
        self._addresses: dict[str, str | None] = {}
        self._refused: dict[str, set[str]] = {}  # by match, the addresses whose START of this id was refused

    def started(self, match_id: str, manager: str | None) -> None:
        """Store the manager of a match, as `manager_of` returns it."""
        self._refused.pop(match_id, None)
        self._addresses[match_id] = manager

    def ended(self, match_id: str) -> None:
        """Forget a match."""
        self._addresses.pop(match_id, None)
        self._refused.pop(match_id, None)

    def refuses(self, match_id: str, sender: str | None) -> bool:
        """Whether a START by `sender` is refused, because the match is known to be of another manager."""
        refused = self._others(match_id, sender)
        if refused and sender is not None and len(self._refused.get(match_id, ())) < MAX_REFUSED:
            self._refused.setdefault(match_id, set()).add(network_of(sender))
        return refused

    def refused(self, match_id: str, sender: str | None) -> bool:
        """Whether `sender` means another match, whose START was refused: some managers go on after `busy`."""
        return sender is not None and network_of(sender) in self._refused.get(match_id, ())

    def _others(self, match_id: str, sender: str | None) -> bool:
        """Whether a match is known to be of another manager than `sender`."""
        manager = manager_of(sender)
        return self._addresses.get(match_id, manager) != manager
