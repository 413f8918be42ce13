"""Matches that measure the strength of a search: `python -m bench.strength`, see docs/how-to/measuring-strength.md.

`entries` parses the players, and `versions` checks out other commits.

A court plays the matches between two sides (`courts`). With a clock of processor seconds, `inturn` plays matches in
which one side thinks at a time; each side is a separate process with the program `seat`, and `seats` communicates with
it. With the wall clock, `clocked` plays matches over HTTP, and `pinned` starts each agent on its own core. `chooser`
adapts opponents that see only the joint moves: `stockfish` is an engine that speaks UCI, and `exact` the solution of
Connect Four (`connectfour`).

`run` plays all matches. `scores` reduces a match to one number, `search.study.sequential` decides when to stop,
`ledger` stores every match in a CSV file, and `table` summarizes the matches.
"""
