"""Tests of grounding: `test_bodies` and `test_terms` compare what the observer's kernels have collected in memory with
the rules and terms that the grounder streamed. That the ground program means what the rules mean is shown on
circuits, in `tests/reasoner/circuit/test_atoms.py`.
"""
