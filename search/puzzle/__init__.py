"""Games of one role, solved by other means than tree search; `portfolio` gives each its turns.

`idea` is what each answers to. In this process: `exhaust` (breadth first, over `breadth` and `counters`) and `beam`
(over `level`). Asked of a solver's process through `formula`: `together` (all moves at once, from `effects`, `timeless`
and `order`) and `horizons` (step after step, `unroll`).
"""
