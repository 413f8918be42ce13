"""Tree search on bit-parallel lanes, in compiled kernels that release the GIL, for games that have a circuit.

A *batch* is one descent to a leaf and the lanes that play out from there.

    tree       `layout` defines all arrays; `tree` allocates them, `transpositions` finds nodes, `recycling` frees them
    select     `descent` to a leaf, with `selection` of edges and expansion of nodes
    leaf       `leaf` evaluates it by playouts, by a network, or by both
    solver     `backup` of the values, `proof` of exact values
    pipeline   `drive` is the main loop; it moves batches through `stages`. `lane_states` loads and reads their states,
               `collect` adds the results of ended lanes
    engine     `engine` runs the threads, `thread_lanes` holds their memory, `cost_model` chooses the playouts per leaf
               by measurement, `numbering` numbers moves and states, `tree_view` shows the tree to the rest of the
               search, and `search` combines all this into one search
"""
