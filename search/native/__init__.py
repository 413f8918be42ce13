"""Tree search on bit-parallel lanes, in compiled kernels that release the GIL, for games that have a circuit.

A *batch* is one descent to a leaf together with the lanes that play out from this leaf.

    tree       `layout` defines all arrays; `tree` allocates them, `transpositions` finds nodes, `recycling` frees them
    select     `descent` to a leaf, with `selection` of edges and expansion of nodes
    leaf       `leaf` evaluates leaves by playouts, by a network, or by both; `leaf_weight` estimates the weight of
               other values beside those of playouts
    solver     `backup` of the values, `proof` of exact values
    main loop  `drive` moves batches through `stages`. `lane_states` loads and reads the states of
               batches, `collect` adds the results of ended lanes
    engine     `engine` runs the threads, `thread_lanes` holds their memory, `cost_model` chooses the playouts per leaf
               by measurement, `numbering` numbers moves and packs states, `tree_view` reads the tree for `search.root`,
               and `search` combines these modules into one search
    forest     `forest` searches the positions of many games at once in the lanes of one thread; `roots` reads the
               statistics of their roots as arrays
"""
