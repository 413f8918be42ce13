"""Monte Carlo tree search over any state machine.

`Search` in `search` is the interface for players. `native` searches machines with a circuit in compiled kernels;
`plain` searches all other machines in Python. `minimax` searches by an evaluation that is learned before the first
move; `features` generates features of positions from the rules. `root` chooses the move to play from the root
statistics and reports them. `factoring` finds independent subgames, and `subgames` searches them separately. `puzzle`
solves one-player games by other methods. `solver` finds exact values of games of two opposed roles. `solve` is the
interface of `puzzle` and `solver`; `exercises` finds positions with one best move. `network` evaluates positions with
neural networks, which `study` trains before a match. `belief` and `information` serve games of imperfect information.
`batch` searches many games at once, for self-play learning.
`options` defines the options, `report` the reports, `errors` the exceptions, and `files` reads and writes files.
`game` and `clock` are the interfaces to a game and to time. `warm` compiles kernels in advance.
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
"""The module of each public name, imported on first use: options and clocks need no kernels."""

if not TYPE_CHECKING:  # type checkers use the imports above

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
