"""Playing a compound game by its subgames: each has a circuit of its own, searched apart; the moves are recombined.

`compound` is the search for several roles: `split_detector` looks for subgames in the positions of a match,
`fold_decided` is the game that is left there, `restricted_circuit` its circuit; `subgame_circuit` cuts one subgame out,
`other_subgame_states` are what the others may be like meanwhile, `subgame_search` searches it, as long as
`unchanged_stakes` says that the others' moves mean nothing to it, and asks what was studied of the whole by
`network_of_part`. `planned` is the search for one role, by the tables
of `plan`.
"""
