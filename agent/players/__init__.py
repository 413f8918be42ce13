"""Players: the base class, the built-in players, and player specifications.

`base` has the base class, `spec` the specifications, `plugins` the players of other packages; `mcts` is the agent's own
player, with its `options`, and `thinking`, its report for the page. `legal` and `random` are baselines.
"""
