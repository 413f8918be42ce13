"""Tests of the moves that playouts prefer: legal, found where the rules have them, and preferred where that pays.

`test_captures` also covers `piece_ownership` and `mobility_probe`, `test_trials` the games that trials play.
"""
