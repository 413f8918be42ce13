"""How far what the search plays where both move at once can be exploited: `python -m bench.simultaneous`.

`exact` solves small games of two roles by backward induction, a linear program a state (scipy, of the extra `bench`);
`trees` are small searches in plain Python, one a rule of selection, to compare such rules at equal simulations.
"""
