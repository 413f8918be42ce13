"""The ground rules as an and-inverter graph, from which all that play does not need is taken out.

`graph` is the encoding, `traversal` walks through it. `netlist` and `atoms` make a netlist of ground rules,
`constant_folding` and `optimize` rewrite it into fewer gates, and `circuit` orders what is left. What is proved about
play on the way: `ternary_simulation` (one value in every reachable state), `step_counter` (what no move changes),
`implications` (what a legal move says of the state), `exclusion` with `exclusion_candidates` (facts of which one holds
at a time), `exclusive_pairs` (the same of pairs, for what prefers moves). `decisive` finds moves that win at once and
that meet a threat, with `decisive_kernels`, `decisive_literals` and `decisive_changes`, `endings` the facts that moves
end. `restrict` cuts a circuit down to some of its facts and moves, `feature_counts` and `counting` count, `show`
prints.
"""
