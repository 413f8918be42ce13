"""What a role knows of a game that it sees in part (GDL-II): the states that agree with all it did and saw.

`games` steps many games together, in lanes where the game has a circuit; `belief` is the set of states that uses them,
`state_set` what it holds; `choices` says which moves may have been made, `propagation` makes one joint move in all
states, `revision` changes what particles did before; `missed` looks for the states of plain GDL after joint moves that
nobody told.
"""
