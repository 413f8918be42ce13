"""Search of a compound game by its subgames: each subgame has its own circuit and search.

`compound` is the search for several roles; it combines the results of the subgames to one move. `split_detector` finds
subgames in the positions of a match. `restricted_circuit` builds the circuit of the game that remains in a position.
`subgame_circuit` builds the circuit of one subgame; `other_subgame_states` supplies states of the other subgames for
it. `subgame_search` searches the subgame as long as `unchanged_stakes` finds that moves in the other subgames do not
affect it. `network_of_part` restricts a network of the whole game to a subgame.
"""
