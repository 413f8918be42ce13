"""Tests of the solvers of games with one role: `test_solvers` gives random games to each solver and compares the ends
and bounds that it finds with slow twins; `test_portfolio` shows that the best line of any of them is played.
"""
