"""Solvers for games of one role other than tree search; `portfolio` lets them take turns.

`solver` is the protocol of all solvers. Two kinds run in this process: `breadth_first` (on `state_space` and
`counters`), and the `beam_solvers`, which rank the states of a `beam` (on `beam_level`), some of them by `patterns` (on
`projection`). Two kinds use the process of a SAT solver (`formula`, `sat_solver`): `order_free_solver` searches for all
moves at once (`effects`, `order_free`, `move_order`), and `horizon_solver` searches step by step (`unrolling`).
`subgame_solver` applies all these solvers to one subgame at a time, as a `solitary` game. `bit_packing` converts
between packed states and lanes.
"""
