"""Who plays: the base class of all players, those that come with the agent, and how one is named.

`base` is the class, `spec` the name; `mcts` is the agent's own player, with its `options`, the `features` of a file and
what it tells while it is `thinking`. `legal` and `random` are there to be compared with.
"""
