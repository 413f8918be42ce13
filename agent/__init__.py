"""The server agent: protocol, worker processes, game manager and command line.

A match against a manager: `server` over `protocol`, `journal`, and for each match a `worker` with one of the `players`.
The `page` shows it to people. `serve` puts these together from `settings`; `logs`, `progress` and `health` tell how it
goes. `gamemaster` plays matches of its own, `tournament` many, `study` learns games before, which `knowledge` keeps.
`cluster` takes these to many machines, `elsewhere` a match's search. `environments` are games for learning programs,
`measure` their speed. `cli` is the command over all of it; `resources` finds the files that come with it, `errors` is
what is raised.
"""
