"""Search for games of imperfect information, with a tree of moves and percepts for each role instead of states.

`tree` contains the trees of all roles. `search` plays many games from sampled states through these trees. The games
start some joint moves before the present (`opening`). `root` contains the statistics of our root.
"""
