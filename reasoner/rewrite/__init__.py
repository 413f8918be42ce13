"""Rewritings of the rules before they are grounded, one pass a file; `passes` lists them in their order.

Rules: `drop_unused`, `split_bodies`.
Columns of large views: `free_columns`, `determined_columns`, `asked_columns`.
Their rows and joins: `join_selected`, `join_apart`, `unfold_large`, `unfold_copies`.
Off unless switched on (`optional`): `keep_views` (materialization, by what `top_down` says that views cost),
`drop_useless`, `unfold`, `store_statics`.

What passes ask about the rules: `keys` (which columns determine others, proved by the `chase`), `lone_facts` (facts of
which a state has one at most), `known_values` (variables that have one value in a state), `estimate` (how many
instances a join has), `certain` (which conditions always hold), `facts` (what rules make, keep and read of each kind).
`feature_rules` adds the rules of features that are to be compiled.
"""
