"""Solvers for games of one role other than tree search; `portfolio` gives each its turns.

`solver` is the protocol of all solvers. In this process: `breadth_first` (over `state_space` and `counters`), and the
`beam_solvers`, which rank the states of a `beam` (over `beam_level`), some by `patterns` (over `projection`). In a SAT
solver's process, through `formula` and `sat_solver`: `order_free_solver` (all moves at once, from `effects`,
`order_free` and `move_order`) and `horizon_solver` (step by step, `unrolling`). `subgame_solver` applies them to one
subgame at a time, as a `solitary` game. `bit_packing` converts between packed states and lanes.
"""
