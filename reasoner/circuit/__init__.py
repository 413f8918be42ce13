"""The ground rules as an and-inverter graph, reduced to what play needs.

`graph` defines the encoding, `traversal` traverses it. `netlist` and `atoms` turn ground rules into a netlist,
`constant_folding` and `optimize` reduce its gates, and `circuit` orders the remaining gates. Proofs about play:
`ternary_simulation` (nodes with one value in every reachable state), `step_counter` (bases that no move changes),
`implications` (what a move's legality implies about the state), `exclusion` with `exclusion_candidates` (mutually
exclusive facts), `exclusive_pairs` (mutually exclusive pairs, for decisive moves). `decisive` finds moves that win at
once or meet a threat; it uses `decisive_kernels`, `decisive_literals` and `decisive_changes`. `delete_effects` finds
facts that moves delete. `restrict` cuts a circuit down to some of its facts and moves, `feature_counts` and `counting`
count features, `show` prints a circuit, `invariants` checks one.
"""
