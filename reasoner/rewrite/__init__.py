"""Rewritings of the rules before grounding, one pass a file; `passes` lists them in order.

Rules: `drop_unused`, `split_bodies`.
Columns of large views: `free_columns`, `determined_columns`, `asked_columns`.
Rows and joins of large views: `join_selected`, `join_apart`, `unfold_large`, `unfold_copies`.
Off by default (`optional`): `keep_views` (materialization, with the cost model `top_down`), `drop_useless`, `unfold`,
`store_statics`.

Analyses for the passes: `keys` (functional dependencies, proved by the `chase`), `lone_facts` (facts of which a state
has at most one), `known_values` (variables with one value in a state), `estimate` (join sizes), `certain` (conditions
that always hold), `facts` (the rules that make, keep and read each kind of fact). `feature_rules` adds the rules of
features to compile.
"""
