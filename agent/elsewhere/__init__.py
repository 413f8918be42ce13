"""Searches of a match's positions on other machines, as the agent and the process of a match see them.

A process of its own, the bridge, speaks with the cluster, so that nothing of it can harm a match: `bridge` keeps it
running for an agent, and a `link` leads to it from the process of each match. `messages` is what passes between them.
"""
