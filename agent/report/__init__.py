"""Report on a rulesheet: what kind of game it is, its size, and measures of random play and of play with search.

`side_by_side` steps many games of any machine together, `play` plays them to their ends and records them, `measures`
computes the figures with their intervals, and `measuring` divides the time among all this. `text` and `html` show a
report, and the comparison of two. `python -m agent.report` measures for the page.
"""
