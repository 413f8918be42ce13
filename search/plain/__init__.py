"""Tree search in plain Python, over any machine: for games without a circuit, or until the circuit is built.

`search` implements the interface of `search.search`. `mcts` runs one simulation on a `tree`, with `expansion` of a node
and `backup` of values and proofs. `budget` controls time.
"""
