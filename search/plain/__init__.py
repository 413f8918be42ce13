"""The search in plain Python, over any machine: for games without a circuit, or until it is built.

`search` is what `search.search` calls. `mcts` does one simulation: `selection` (which move), `expansion` (a new node),
`simulation` (playouts), `backup` and `proof` (what comes of it), on a `tree`. `budget`, `calibration` and `collector`
keep it in time; `best_sequence` serves games of one role.
"""
