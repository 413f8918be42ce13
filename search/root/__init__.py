"""Root statistics of any search: choice of the move to play, and reports.

`searcher` is the base class of searches of a whole game. `statistics` defines the form of a root's statistics, `remote`
adds the results of searches on other machines, `choice` picks the move, and `summary` makes the report.
"""
