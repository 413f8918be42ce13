"""The restrictions of GDL, one kind a file. Each check takes the sheet and adds what it finds to the report.

Names and places: `names`, `misspelled`, `usage`, `foreign_names`, `placement`, `presence`, `oddities`. Meaning:
`safety`, `stratification`, `recursion`, `flow` (what may not depend on the state or the moves), `goals`, `high_goals`
(above 100, in play).
An error has no meaning and stops the match; a warning is what real rulesheets do and still play.
docs/reference/diagnostics.md has a row for each code.
"""
