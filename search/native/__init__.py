"""The tree search over lanes, in compiled kernels that hold no lock of Python: for games that have a circuit.

A *batch* is one descent to a leaf with some lanes that play on from there. As a batch passes through the files:
`descent` with `selection`, `joint` and `expansion` (to a leaf), `start_lanes` (into lanes), `first_states` and
`transpositions` (the new state, and its node; `expected` asks a studied network of it), `collect` (lanes that end;
`evaluate` scores those that are cut off), `backup` and `proof` (what comes of it). `drive` is the loop of sweeps in
which this happens; `best_sequence` keeps the best line of one player alone, `recycling` forgets.

`layout` says what all arrays hold, `memory` reads and writes them. In Python above the kernels: `tree` and
`thread_lanes` own the memory, `engine` runs the threads, `cost_model` chooses by measurement how many lanes a batch
gets, `numbering` numbers moves and states, `tree_view` shows the tree to the rest of the search; `search` is all this
as one search.
"""
