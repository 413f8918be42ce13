"""Rewritings of a graph that reduce its gates and keep its outputs, one in each file; `passes` lists them in order.

The rewritings work on `wide_gates`, conjunctions of many literals. For any circuit: `absorption`, `common_factors`,
`common_cubes`, `complement_sums`, `context_resubstitution`. For circuits of games: `counter_phases`, `reverse_paths`.
"""
