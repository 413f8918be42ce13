"""Monte Carlo tree search over any state machine.

`Search` in `search` is what a player uses. For a machine that is a circuit, `native` does the work in compiled kernels;
for any other, `plain` does. `root` chooses the move to play from what either has found at the root, and tells it.
`factoring` finds games inside a game and `subgames` searches them apart; `puzzle` solves games of one role by other
means; `evaluation` scores positions. `options` are all knobs, `report` what is told, `warm` compiles ahead.
"""

from search.clock import Clock, MonotonicClock
from search.errors import NoLegalMoveError, OptionsError, SearchError
from search.options import SearchOptions
from search.report import MoveReport, Report
from search.search import Search
from search.warm import warm_up

__all__ = [
    "Clock",
    "MonotonicClock",
    "MoveReport",
    "NoLegalMoveError",
    "OptionsError",
    "Report",
    "Search",
    "SearchError",
    "SearchOptions",
    "warm_up",
]
