"""Tests of the rewritings of the graph: `test_passes` gives each of them random graphs, evaluates all outputs before
and after, and shows on a graph made for it that it finds what it is there for; two have files of their own.
"""
