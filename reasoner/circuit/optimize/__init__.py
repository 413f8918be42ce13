"""Equivalent circuits with fewer gates: rewritings of a graph, one idea a file, listed in order in `passes`.

They work on `wide_gates`, conjunctions of many literals. For any circuit: `absorption`, `common_factors`,
`common_cubes`, `complement_sums`, `context_resubstitution`. For circuits of games: `counter_phases`, `reverse_paths`.
"""
