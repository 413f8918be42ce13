"""Tree search in plain Python, over any machine: for games without a circuit, or until the circuit is built.

`search` is the entry point for `search.search`. `mcts` does one simulation: `selection` of moves, `expansion` of a
node, `simulation` (playouts), `backup` and `proof`, on a `tree`. `budget`, `calibration` and `collector` keep
deadlines; `best_sequence` serves one-player games.
"""
