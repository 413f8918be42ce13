"""Tests of the ways to solve games of one role: `test_ideas` gives random games to each solver and holds the ends and
bounds that it finds against slow twins; `test_portfolio` shows that the best line of any of them is played.
"""
