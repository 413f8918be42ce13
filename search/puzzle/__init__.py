"""Games of one role, solved by other means than tree search; `portfolio` gives each its turns.

`method` is what each answers to. In this process: `breadth_first` (over `state_space` and `counters`), `beam` (over
`beam_level`) and `pattern_beam` (by `patterns`, over `projection`). Asked of a solver's process through `formula` and
`asking`: `order_free_solver` (all moves at once, from `effects`, `order_free` and `move_order`) and `horizon_solver`
(step after step, `unrolling`). `apart` lets them solve subgames one by one,
`shortening` looks for fewer moves in the end.
"""
