"""Tests of the compiled search, by its kernels and as a whole.

`test_kernels` calls the kernels that have an answer of their own (selection, backup, proof, transpositions,
recycling) on trees made by hand or at random, beside slow twins in plain Python. `test_search` plays games whose
outcome is known through all of them: descent, expansion, the lanes of leaves and their collection, threads, the
line told, what is kept from move to move. `test_tree_view` reads trees that the search has grown, against a walk
over all joint_edges. The search in plain Python answers the same questions on the same games in
`tests/search/test_search.py` and `test_play.py`.
"""
