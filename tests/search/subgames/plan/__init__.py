"""Tests of planning compound games of one role: every table that a kernel fills (`test_exploration`, `test_distances`,
`test_lower_bound`, `test_bit_packing`) is held against plain enumeration of a small game or against random play,
and `test_planner` against the best line that a search of the whole game finds.
"""
