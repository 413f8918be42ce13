"""Relational evaluation of the rules, state by state, without grounding.

`machine` is the state machine. It uses `interpreters` of the join plans in `bytecode`: one that plays, and one that
answers `queries` in a `vocabulary` and counts features, after `eliminate` has projected variables
away. `interning` numbers the terms, and `limits` bound every evaluation.
"""
