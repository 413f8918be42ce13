"""Propositional questions asked of clingo's solver, in a process of its own: `solver` asks, `child` answers."""
