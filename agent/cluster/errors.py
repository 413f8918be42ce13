"""Exceptions of clusters, below `agent.errors.AgentError`."""

from __future__ import annotations

from agent.errors import AgentError


class ClusterError(AgentError):
    """Ray or the cluster is missing, or its machines have another version of the agent. The message says what to do."""


def wrong_node(error: Exception) -> ClusterError | None:
    """Return a ClusterError if the error of an actor shows that its node cannot run actors; else None.

    The text of the error is parsed, because Ray hides the type of exceptions in actor constructors.
    """
    text = str(error)
    for line in reversed(text.splitlines()):
        if "ClusterError: " in line:
            return ClusterError(line.partition("ClusterError: ")[2])
        if "ModuleNotFoundError" in line or "ImportError" in line:
            return ClusterError(f"a node lacks a package ({line.strip()}): install ggp-agent on all nodes")
    return None
