"""Solvers for games of one role other than tree search; `portfolio` gives each its turns.

`method` is the protocol of every solver. In this process: `breadth_first` (over `state_space` and `counters`), `beam`
(over `beam_level`), and the `unseen_beam`s `goal_beam` and `pattern_beam` (by `patterns`, over `projection`). In a SAT
solver's process, through `formula` and `asking`: `order_free_solver` (all moves at once, from `effects`, `order_free`
and `move_order`) and `horizon_solver` (step by step, `unrolling`). `apart` applies them to one subgame at a time.
`shortening` looks for fewer moves at the end.
"""
