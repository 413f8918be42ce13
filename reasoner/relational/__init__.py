"""Rules evaluated as relational algebra, state by state, without grounding.

`machine` is the state machine. Behind it stand `interpreters` of the join plans in `bytecode`: one that plays, and one
that answers `questions` in a `vocabulary`, queries and the counts of features, whose variables `eliminate` may join
away. Terms are numbers by `interning`, bodies are joined in the `order` that costs least, and `limits` end what does
not end by itself; `possible` tells what facts a state may hold when a person writes one.
"""
