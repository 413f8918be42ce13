"""The restrictions of GDL, one kind per file. Each check takes the sheet and adds its findings to the report.

Names and places: `names`, `misspelled`, `usage`, `foreign_names`, `placement`. Meaning:
`safety`, `stratification`, `recursion`, `flow` (dependencies on the state or the moves), `goals` (also
those that exceed 100 in play). An error makes the rules meaningless and stops the match; a warning occurs in real
rulesheets that still play. `ggp-agent check --explain CODE` explains a code.
"""
