"""Rules evaluated as relational algebra, state by state, without grounding."""
