"""Matches that measure the strength of a search: `python -m bench.strength`, see docs/how-to/measuring-strength.md.

`entries` parses the players; `versions` has the files of other commits. `seat` is a program in a process of its own
that plays one side by a clock of processor seconds, `seats` talks to it, and `inturn` plays matches of such sides, one
thinking at a time. `clocked` plays matches over HTTP by the wall clock, `pinned` starts agents on cores of their own,
and `courts` has the interface of both. `chooser` are opponents that only see the moves made: `stockfish` an engine
behind UCI, `exact` the solution of Connect Four (`connectfour`). `scores` reduces a match to one number,
`search.study.sequential` decides when enough was played, `run` plays all matches, `ledger` stores every match in a CSV
file, `table` sums up.
"""
