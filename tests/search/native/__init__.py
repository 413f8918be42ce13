"""Tests of the compiled search, by its kernels and as a whole.

`test_kernels` calls the kernels that have an answer of their own (selection, backup, proof, transpositions,
recycling) on trees made by hand or at random, beside slow twins in plain Python. `test_search` plays games whose
outcome is known through all of them: descent, expansion, the lanes of leaves and their collection, threads, the
line told, what is kept from move to move. `test_tree_view` reads trees that the search has grown, against a walk
over all joint_edges. `test_forest` searches many positions in shared lanes, beside single searches.
`tests/search/test_both.py` asks the same of this search and of the one in plain Python.
"""
