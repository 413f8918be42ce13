"""Bit-sliced play: every node of the circuit has 512 bits, one for each independent game, or *lane*.

`lane_graph` is the circuit with the random choice of moves. `lane_graph_builder` builds it from the roles that share a
choice (`alternating_roles`), the slots among which they choose (`exclusive_moves`, `choice_plan`) and the choice itself
(`random_choice`). `tactics` finds the moves that playouts prefer. `section_contract` states the results of each
section. An emitter, `native` or `portable`, compiles the graph to code; `emitters` selects the emitter, and `loaded`
describes the code. `program` does all of this in one call. `play` runs games with the row operations of `rows` and
`draw`. `machine` is the state machine.
`feature_values` and `feature_lanes` count features. `tiny_circuit` is a small game written by hand, for compiling and
tests. `invariants` checks a graph.
"""
