"""Many games at once: every node of the circuit holds 512 bits, one per independent game, or *lane*.

`lane_graph` adds the random choice of moves to a circuit: who chooses together (`alternating_roles`), among which slots
(`exclusive_moves`, `choice_plan`), and the gates that choose (`random_choice`). Which moves playouts prefer
(`preferred_moves`, `captures`) is tried out in random games on the gates (`trial_games`: `gifts_seen`, `owners_seen`,
`takers_seen`). An emitter, `native` or `portable`,
makes code of it (`emitters`), which `loaded` describes; `program` is all this in one call. `play` and `tally` run
games, `rows` and `draw` are their operations on 512 bits. `machine` is the state machine; `feature_values` and
`feature_lanes` count features.
"""
