"""The same functions with fewer gates: rewritings of a graph, one idea a file, listed in `passes` in their order.

They see the graph as `wide_gates`, conjunctions of many literals. What any circuit has: `absorption`, `common_factors`,
`common_cubes`, `complement_sums`, `condition_substitution`. What games bring: `counter_phases`, `reverse_paths`,
`split_by_moved_piece`.
"""
