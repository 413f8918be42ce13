"""Search of a match's positions on other machines: the agent's and the worker's side.

A separate bridge process talks to the cluster, so that cluster failures cannot affect a match: `bridge` keeps it
running, and a `link` connects each worker to it. `search_messages` defines their messages.
"""
