"""Tests of the game as a circuit: what a gate means is compared with what the rules say.

Kernels that walk a graph are tested through what they are for: `test_graph` and `test_circuit` evaluate random graphs
before and after folding, restriction and layout; `test_atoms` compares with the least model of ground rules;
`test_exclusion`, `test_step_counter` and `test_decisive` look in play for a counter-example to what was proven.
"""
