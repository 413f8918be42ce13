"""What is made of the statistics at the root, whichever search they come from: the move to play, and what is told.

`statistics` is their one form, to which `elsewhere` adds what other machines found. `choice` picks the move; where
several roles choose at once, `mixture` says how likely each plays what, by an `equilibrium` for two. `summary` tells.
"""
