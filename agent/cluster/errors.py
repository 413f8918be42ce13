"""What goes wrong with a cluster, below `agent.errors.AgentError`."""

from __future__ import annotations

from agent.errors import AgentError


class ClusterError(AgentError):
    """Ray is missing, no cluster is there, or its machines have another agent; the text says how to mend it."""


def wrong_node(error: Exception) -> ClusterError | None:
    """What is wrong with a node that cannot have actors; None where it was merely lost.

    It is read from the text: Ray wraps what an actor raised before it stood, and may have lost what it was.
    """
    text = str(error)
    for line in reversed(text.splitlines()):
        if "ClusterError: " in line:
            return ClusterError(line.partition("ClusterError: ")[2])
        if "ModuleNotFoundError" in line or "ImportError" in line:
            return ClusterError(f"a node lacks what playing needs ({line.strip()}): install ggp-agent on all of them")
    return None
