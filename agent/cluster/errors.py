"""What goes wrong with a cluster, below `agent.errors.AgentError`."""

from __future__ import annotations

from agent.errors import AgentError


class ClusterError(AgentError):
    """Ray is missing, no cluster is there, or its machines have another agent; the text says how to mend it."""
