"""Tree search on bit-parallel lanes, in compiled kernels that release the GIL, for games that have a circuit.

A *batch* is one descent to a leaf and the lanes that play out from there. A batch passes through the files in this
order: `descent` with `selection`, `joint` and `expansion` (to a leaf), `start_lanes` (into lanes), `first_states` and
`transpositions` (the new state and its node; `network_policy` evaluates the state with a network), `collect` (lanes
that end), `backup` and `proof` (update of the tree). `drive` is the main
loop; `best_sequence` keeps the best line of a one-player game, `recycling` frees nodes.

`layout` defines all arrays, `memory` accesses them. In Python above the kernels: `tree` and `thread_lanes` own the
memory, `engine` runs the threads, `cost_model` chooses the lanes per batch by measurement, `numbering` numbers moves
and states, `tree_view` shows the tree to the rest of the search, and `search` combines all this into one search.
"""
