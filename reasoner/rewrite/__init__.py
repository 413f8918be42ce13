"""Rewritings of the rules before grounding, one pass a file; `passes` lists them in order.

Rules: `drop_unused`, `split_bodies`.
Columns of large views: `free_columns`, `determined_columns`, `asked_columns`.
Rows and joins of large views: `join_selected`, `decompose_join`, `unfold_views`.
Off by default (`optional`): `keep_views` (materialization), `drop_useless`, `unfold`, `store_statics`.

A pass returns a program, or a program with the laws of states that it depends on (`keys`).

Analyses for the passes: `keys` (functional dependencies, proved by the `chase`), `at_most_one` (facts of which a state
has at most one), `known_values` (variables with one value in a state), `estimate` (join sizes), `facts` (the rules that
make, keep and read each kind of fact). `feature_rules` adds the rules of features to compile.
"""
