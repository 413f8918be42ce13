"""Addresses of the managers of the running matches: two managers may choose the same match id."""

from __future__ import annotations

from agent.server.rate import network_of

MAX_REFUSED = 1_000
"""Maximum addresses that are stored for an id."""
MAX_IDS = 100
"""Maximum ids whose refused addresses are stored."""


def manager_of(sender: str | None) -> str | None:
    """Return the network of a manager's address; None: the agent's own page."""
    return sender and network_of(sender)


class Managers:
    """The manager that has started each running match; a match from a journal of an earlier version has none.

    A manager whose START was refused may go on, also when the match has ended and another one has its id. So it stays
    refused until it starts a match with this id.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, str | None] = {}
        self._refused: dict[str, set[str]] = {}  # by match id, the addresses whose START was refused

    def started(self, match_id: str, manager: str | None) -> None:
        """Store the manager of a match, as `manager_of` returns it."""
        self._addresses[match_id] = manager
        if manager is not None:
            self._refused.get(match_id, set()).discard(manager)

    def ended(self, match_id: str) -> None:
        """Forget the manager of a match."""
        self._addresses.pop(match_id, None)

    def refuses(self, match_id: str, sender: str | None) -> bool:
        """Whether a START by `sender` is refused, because the match is known to be of another manager."""
        manager = manager_of(sender)
        return self._addresses.get(match_id, manager) != manager

    def refuse(self, match_id: str, manager: str | None) -> bool:
        """Store a manager whose START was refused, as `manager_of` returns it; return whether it is a new one."""
        refused = self._refused.setdefault(match_id, set())
        if manager is None or manager in refused or len(refused) >= MAX_REFUSED:
            return False
        refused.add(manager)
        if len(self._refused) > MAX_IDS:
            del self._refused[next(iter(self._refused))]
        return True

    def refused(self, match_id: str, sender: str | None) -> bool:
        """Whether `sender` means another match, whose START was refused: some managers go on after `busy`."""
        return sender is not None and network_of(sender) in self._refused.get(match_id, ())
