"""Relational evaluation of the rules, state by state, without grounding.

`machine` is the state machine. It uses the `interpreters` of a game, which run the join plans of `bytecode`: one plays
the game, the other answers `queries` and counts features. `vocabulary` checks the relations of a query, and `eliminate`
projects variables of features away. `interning` numbers the terms. `limits` bounds every evaluation.
"""
