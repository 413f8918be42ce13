"""Tree search in plain Python, over any machine: for games without a circuit, or until the circuit is built.

`search` is the entry point for `search.search`. `mcts` does one simulation, with `expansion` of a node and `backup` of
values and proofs, on a `tree`. `budget` keeps deadlines.
"""
