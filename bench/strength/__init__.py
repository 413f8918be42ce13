"""Matches that say how strong a search is: `python -m bench.strength`, explained in docs/how-to/measuring-strength.md.

`entries` reads who plays; `versions` has the files of other commits. `seat` is a program in a process of its own that
answers for one side by a clock of processor seconds, `seats` speaks with it, `inturn` plays matches of such sides, one
thinking at a time. `clocked` plays matches over HTTP by the wall's clock, `pinned` starts agents on cores of their own.
`chooser` are opponents that only look at what was played: `stockfish` an engine behind UCI, `exact` the solution of
Connect Four (`connectfour`). `scores` makes one number of a match, `sequential` says when enough was played, `ledger`
keeps every match in a CSV file, `table` sums up.
"""
