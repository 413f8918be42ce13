"""Playing a compound game by its subgames: each has a circuit of its own, searched apart; the moves are recombined.

`compound` is the search for several roles: `lookout` looks for subgames in the positions of a match, `residual` is the
game that is left there, `part` its circuit; `cone` cuts one subgame out, `contexts` are what the others may be like
meanwhile, `local` searches it. `planned` is the search for one role, by the tables of `plan`.
"""
