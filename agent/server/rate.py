"""Rate limit per sender: a maximum number of events in any minute."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque

MINUTE = 60.0
SENDERS = 1_000
"""Maximum number of stored senders; the least recent ones are dropped."""
NETWORK = 64
"""Prefix length in bits that identifies one IPv6 sender."""


class Rate:
    """Counts events by sender address; times are seconds of one clock."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def full(self, sender: str, now: float) -> bool:
        """Whether the sender has reached its limit at `now`."""
        times = self._times.get(network_of(sender), deque())
        while times and times[0] < now - MINUTE:
            times.popleft()
        return len(times) >= self._limit

    def count(self, sender: str, now: float) -> None:
        """Count an event of a sender."""
        network = network_of(sender)
        self._times.setdefault(network, deque()).append(now)
        self._times.move_to_end(network)
        if len(self._times) > SENDERS:
            self._times.popitem(last=False)


def network_of(address: str) -> str:
    """Return the network that identifies a sender; return an invalid address unchanged."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, NETWORK), strict=False))
    return str(getattr(ip, "ipv4_mapped", None) or ip)
