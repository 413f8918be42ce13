"""How often something may begin for one sender: at most so many times in any minute."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque

MINUTE = 60.0
SENDERS = 1_000
"""Senders that are remembered: those for whom something has begun last."""
NETWORK = 64
"""Bits of an address of IPv6 that name one sender, who has all addresses that begin so."""


class Rate:
    """Counts beginnings by the sender's address; times are seconds of one clock."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def full(self, sender: str, now: float) -> bool:
        """Whether no more may begin for a sender at `now`."""
        times = self._times.get(_network(sender), deque())
        while times and times[0] < now - MINUTE:
            times.popleft()
        return len(times) >= self._limit

    def count(self, sender: str, now: float) -> None:
        """Something begins for a sender."""
        network = _network(sender)
        self._times.setdefault(network, deque()).append(now)
        self._times.move_to_end(network)
        if len(self._times) > SENDERS:
            self._times.popitem(last=False)


def _network(address: str) -> str:
    """What one sender's addresses have in common; an address that is none stands for itself."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, NETWORK), strict=False))
    return str(getattr(ip, "ipv4_mapped", None) or ip)
