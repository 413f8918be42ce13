"""The tree search over lanes, in compiled kernels that hold no lock of Python: for games that have a circuit.

A *job* is one descent to a leaf with some lanes that play on from there. As a job passes through the rooms: `layout`
(what all arrays hold), `descend` with `select` and `open` (to a leaf), `lanes` (into lanes and out again), `insert`
(the new state), `backup` and `proof` (what comes of it), `drive` (the loop of sweeps). `recycle` forgets, `pace`
chooses by measurement how many lanes a job gets; `tree`, `crew` and `engine` own the memory; `view` shows the tree to
the rest of the search.
"""
