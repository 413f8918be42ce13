"""Games inside a game: found on its circuit, each with facts, classes of moves, and what it gives to goals and end.

`detection` says how, and `factors` what comes of it. On the way: `step_counter` (what no move influences is set aside),
`supports`, `effects` and `moves` (what reads and changes what), `outputs` (what goals keep apart), `join` with
`retrial` (whether moves come apart), `series` and `gates` (what one end opens), `kind` (what kind of compound game).
`limits` bound the work; `show` prints.
"""

from search.factoring.detection import factor
from search.factoring.factors import Factoring, Subgame

__all__ = ["Factoring", "Subgame", "factor"]
