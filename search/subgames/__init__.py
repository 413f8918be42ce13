"""Search of a compound game by its subgames: each has its own circuit and search; the moves are recombined.

`compound` is the search for several roles. `split_detector` looks for subgames in the positions of a match.
`restricted_circuit` has the game that remains there. `subgame_circuit` cuts out one subgame, with
`other_subgame_states` as contexts. `subgame_search` searches it as long as `unchanged_stakes` finds that the
others' moves do not affect it; it uses the network of the whole game through `network_of_part`.
"""
