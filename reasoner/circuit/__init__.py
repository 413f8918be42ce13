"""The ground rules as an and-inverter graph, from which all that play does not need is taken out.

`graph` is the encoding. `build` and `atoms` make a netlist of ground rules, `shrink` rewrites it into fewer gates, and
`circuit` orders what is left. What is proved about play on the way: `constants` (one value in every reachable state),
`clock` (what no move changes), `implied` (what a legal move says of the state), `exclusion` with `candidates` (facts of
which one holds at a time). `restrict` cuts a circuit down to some of its facts and moves, `feature_counts` and `sums`
count, `show` prints.
"""
