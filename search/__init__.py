"""Monte Carlo tree search over any state machine.

`Search` in `search` is what a player uses. For a machine that is a circuit, `native` does the work in compiled kernels;
for any other, `plain` does. `root` chooses the move to play from what either has found at the root, and tells it.
`factoring` finds games inside a game and `subgames` searches them apart; `puzzle` solves games of one role by other
means; `evaluation` scores positions, as do the networks of `network`, which `study` trains before a match. `belief` and
`information` play where roles see in part. `batch` searches many games at once, for programs that learn by themselves.
`options` are all knobs, `report` what is told, `game` and `clock` what a search asks of a game and of time, `warm`
compiles ahead, `errors` is what is raised.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from search.clock import Clock, MonotonicClock
    from search.errors import NoLegalMoveError, OptionsError, SearchError
    from search.options import SearchOptions
    from search.report import MoveReport, Report
    from search.search import Search
    from search.warm import warm_up

_HOMES = {
    "Clock": "search.clock",
    "MonotonicClock": "search.clock",
    "MoveReport": "search.report",
    "NoLegalMoveError": "search.errors",
    "OptionsError": "search.errors",
    "Report": "search.report",
    "Search": "search.search",
    "SearchError": "search.errors",
    "SearchOptions": "search.options",
    "warm_up": "search.warm",
}
"""Where each public name is; imported when it is first asked for, so that options and clocks come without kernels."""

if not TYPE_CHECKING:  # a type checker knows the names from above

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = found
        return found


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
