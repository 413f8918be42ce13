"""Factoring of a game into subgames, found on its circuit: each has facts, move classes, and a part in goals and end.

`detection` is the algorithm, and `factors` its result. The steps: `step_counter` (bases that no move influences are set
aside), `supports`, `effects` and `moves` (what reads and changes what), `outputs` (what goals separate), `join` with
`retrial` (whether moves separate), `series` and `gates` (one subgame's end opens the next), `kind` (the kind of
compound game). `limits` bound the work; `show` formats the result.
"""

from search.factoring.detection import factor
from search.factoring.factors import Factoring, Subgame

__all__ = ["Factoring", "Subgame", "factor"]
