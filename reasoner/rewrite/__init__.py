"""Rewritings of the rules before they are grounded, one pass a file; `passes` lists them in their order.

What passes ask about the rules: `keys` (which columns determine others, proved by the `chase`), `lone_facts` (facts of
which a state has one at most), `known_values` (variables that have one value in a state), `estimate` (how many
instances a join has), `certain` (which conditions always hold). The passes of `optional` are off unless
switched on. `feature_rules` adds the rules of features that are to be compiled.
"""
