"""Relational evaluation of the rules, state by state, without grounding.

`machine` is the state machine. It uses `interpreters` of the join plans in `bytecode`: one that plays, and one that
answers `questions` in a `vocabulary`, such as queries and feature counts, after `eliminate` has projected variables
away. `interning` numbers the terms, `order` chooses the join order, and `limits` bound every evaluation; `possible`
finds the facts that a state may contain, to check a state that a person writes.
"""
