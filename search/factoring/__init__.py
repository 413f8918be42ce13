"""Factoring of a game into subgames by analysis of its circuit.

A subgame has facts, classes of moves, and literals that goals and termination read. `detection` is the algorithm, and
`factors` its result. The steps: `step_counter` separates the bases that no move influences. `supports`, `effects` and
`moves` compute the bases that formulas read and moves change; `retrial` evaluates moves incrementally. `outputs` finds
the parts that goals and termination separate. `join` tests whether moves separate. `series` and `gates` find subgames
of which one opens the next. `kind` classifies the compound game. `limits` bounds the work; `show` formats the result.
"""

from search.factoring.detection import factor
from search.factoring.factors import Factoring, Subgame

__all__ = ["Factoring", "Subgame", "factor"]
