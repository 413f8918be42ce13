"""Rules evaluated as relational algebra, state by state, without grounding.

`machine` is the state machine. It asks `fast` first, the interpreter in `bytecode`; where a game grows too large for
that, the engine of this room answers, more slowly: `situations` keeps a `model` for each recent state, a model
evaluates the components of the `rulebook` to their `fixpoint`, each `rule` runs a `plan` of `steps` over a `table` for
each relation, in the `order` that costs least. What is too large as a whole is evaluated on `demand`. `query` answers
questions; `features`, `feature_values` and `feature_counter` count solutions.
"""
