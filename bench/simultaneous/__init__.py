"""Benchmark of simultaneous moves: exploitability of the search's play, `python -m bench.simultaneous`.

`exact` solves small games of two roles by backward induction, a linear program a state (scipy, of the extra `bench`);
`trees` are small searches in plain Python, one for each selection rule, to compare such rules at equal simulations.
"""
