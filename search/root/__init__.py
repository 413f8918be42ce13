"""Root statistics of any search: choice of the move to play, and reports.

`statistics` defines their form, `remote` adds the results of searches on other machines. `choice` picks the move;
where several roles choose at once, `mixture` gives the probability of each move, from an `equilibrium` for two opposed
roles. `summary` makes the report.
"""
