"""Logical features that are generated from the rules of a game by transformations, as in Fawcett's Zenith.

`transformations` makes candidates from the bodies of rules. `generate` counts the candidates in sampled positions, and
drops those that are constant or equal to an earlier one. `weights` fits them to positions of self-play.
"""
