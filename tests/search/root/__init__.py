"""Tests of what is made of a root: `test_equilibrium` gives matrices whose equilibria are known, `test_summary`
searches small games and compares what is told with what is played. Both searches fill the same statistics; that
each fills them rightly is shown in `tests/search/plain` and `tests/search/native`.
"""
