"""Many games at once, bit-sliced: every node of the circuit holds 512 bits, one per independent game, or *lane*.

`lane_graph` is a circuit with the random choice of moves, put together by `lane_graph_builder` (the gates of a random
`step` in it): who chooses together (`alternating_roles`), among which slots (`exclusive_moves`, `choice_plan`), and the
gates that choose (`random_choice`). Which moves playouts prefer (`preferred_moves`, `captures`, `facts_tried`) is tried
out in random games on the gates (`trial_games`: `wins_seen`, `gifts_seen`, `owners_seen`, `takers_seen`). An emitter,
`native` or `portable`, makes code of it (`emitters`), which `loaded` describes; `program` is all this in one call.
`play` and `tally` run games, `rows` and `draw` are their operations on 512 bits, and `row_speed` how fast those can be.
`machine` is the state machine; `feature_values` and `feature_lanes` count features. `tiny_circuit` is a game written by
hand, to try all this on.
"""
