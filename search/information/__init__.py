"""Search for games of imperfect information: trees of each role's moves and percepts, not of states.

`tree` holds them. `search` plays many games from sampled states through the trees of all roles together, beginning some
joint moves back (`opening`); `root` holds the statistics of our root.
"""
