"""The tree search over lanes, in compiled kernels that hold no lock of Python: for games that have a circuit.

A *job* is one descent to a leaf with some lanes that play on from there. As a job passes through the files: `descend`
with `select` and `open` (to a leaf), `fill` (into lanes), `read` and `table` (the new state, and its node), `harvest`
(lanes that end; `evaluate` scores those that are cut off), `backup` and `proof` (what comes of it). `drive` is the loop
of sweeps in which this happens; `line` keeps the best line of one player alone, `recycle` forgets.

`layout` says what all arrays hold, `memory` reads and writes them. In Python above the kernels: `tree` and `crew` own
the memory, `engine` runs the threads, `pace` chooses by measurement how many lanes a job gets, `game` numbers moves and
states, `view` shows the tree to the rest of the search; `search` is all this as one search.
"""
