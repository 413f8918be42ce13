"""Root statistics of any search: choice of the move to play, and reports.

`statistics` defines their form, `remote` adds the results of searches on other machines. `choice` picks the move,
`summary` makes the report.
"""
