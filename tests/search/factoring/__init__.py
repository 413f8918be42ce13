"""Tests of finding games inside a game: `test_ways` and `test_detection` split rulesheets whose parts are known, play
the parts and the whole, and compare; kernels that walk the circuit are tested through these. `test_join` and
`test_supports` compare with sets of plain Python.
"""
