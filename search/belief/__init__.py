"""Belief of a role in a game of imperfect information (GDL-II): the states consistent with its moves and percepts.

`games` steps many games together, in lanes if the game has a circuit. `belief` maintains the set of states, and
`state_set` represents it. `propagation` makes one joint move in all states. `revision` resamples past moves of
particles. `missed` finds the possible states of a plain GDL match after joint moves that were never received.
"""
