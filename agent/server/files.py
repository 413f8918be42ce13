"""How many files the system lets this process have open, and how many of them connections may take."""

from __future__ import annotations

import contextlib
import resource

import structlog

OWN = 24
"""Files that the agent has open before anybody connects: its sockets, its event loop's, its log, its journals' lock."""
MATCH = 4
"""Files of one match: its worker's socket and the spare one's, its journal, one that is just being opened."""


def room_for_connections(wanted: int, matches: int) -> int:
    """As many connections as are `wanted`, or as leave files for so many matches; at least one.

    The system's softer limit is raised to its harder one first.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # systems exist that refuse their own hard limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft - OWN - MATCH * matches)
    if room < wanted:
        structlog.get_logger().warning("fewer connections: the system grants few open files", files=soft, room=room)
    return max(room, 1)
