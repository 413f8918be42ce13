"""Rewritings of the rules before grounding, one pass per file; `passes` lists them in order.

Rules: `drop_unused`, `split_bodies`.
Columns of large views: `free_columns`, `determined_columns`, `asked_columns`.
Rows and joins of large views: `join_selected`, `decompose_join`, `unfold_views`.
Off by default (`optional`): `keep_views` (materialization), `drop_useless`, `unfold`, `store_statics`.

A pass returns a program, or a program and the functional dependencies that it relies on (`keys.Rewritten`).

Analyses for the passes: `keys` (functional dependencies, proved by the `chase`), `at_most_one` (kinds of facts of which
a state contains at most one), `known_values` (variables with one value in a state), `estimate` (join sizes), `facts`
(the rules that read each shape of fact). `feature_rules` adds the rules of features that are compiled.
"""
