"""Version and code digest of the agent, which must be equal on all machines of a cluster."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path

from agent.cluster.errors import ClusterError
from agent.resources import own_version

PACKAGES = ("agent", "ggp_agent", "reasoner", "search")
ROOT = Path(__file__).parents[2]


@cache
def own_source() -> str:
    """Return the agent's version and a digest of its code."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return f"{own_version()} ({digest.hexdigest()[:12]})"


def check_source(source: str) -> None:
    """Raise ClusterError if the agent of this machine has another version or digest than `source`."""
    if source != own_source():
        node = platform.node()
        raise ClusterError(f"the node {node} has ggp-agent {own_source()}, this machine {source}: install the same")
