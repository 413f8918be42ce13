"""Tests of the step of random play that knows no single moves.

`test_random_step` holds it against what single moves lead to, state by state and draw by draw: with it what
`state_logic` copies and the cofactors of `move_effects`, kernels of which each gate of a step is made.
`test_slot_values` holds what slots make against a slow twin, gate by gate.
"""
