"""Tests of portable code for lanes stand one folder up: every test there that does not ask for an emitter runs with
portable lanes under `pytest --emitter portable`, `test_program` runs its interpreter on schedules that use rows again,
and `tests/reasoner/lanes/native/test_emit.py` compares it with machine code bit by bit.
"""
