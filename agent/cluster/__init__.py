"""Distribution over many machines with Ray; only this package imports Ray (extra ``cluster``).

`connection` connects to a cluster or starts a local one. Tournaments: `arena` assigns matches to `table` actors, whose
players are local agents on reserved processors (`processors`). `pool` gives jobs to one actor per processor, for the
self-play of a study (`self_play`) and for a solver (`solving`). Search of a match: `bridge` connects an agent to a
`searcher` on each node. `source` checks that all machines have the same version of the agent. `errors` has the
exceptions.
"""
