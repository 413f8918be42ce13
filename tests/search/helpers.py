"""Searches as the tests begin them."""

from __future__ import annotations

from math import inf
from typing import Any

from search import MonotonicClock, Report, SearchOptions
from search.plain.search import PlainSearch
from tests.search.games import PythonGame


def searching(game: Any, role: int = 0, state: Any = None, **options: Any) -> PlainSearch:
    """A search that has not thought yet."""
    begin = game.initial() if state is None else state
    return PlainSearch(game, role, begin, SearchOptions(**options), MonotonicClock())


def thought(game: Any, role: int = 0, state: Any = None, **options: Any) -> PlainSearch:
    """A search after its `simulations`."""
    search = searching(game, role, state, **options)
    search.think(inf)
    return search


def value(report: Report, move: str) -> float:
    return next(each.value for each in report.moves if str(each.move) == move)


def visits(report: Report, move: str) -> int:
    return next(each.visits for each in report.moves if str(each.move) == move)


def after(game: PythonGame, *words: str) -> Any:
    """The state after these moves of a turn-taking game."""
    state = game.initial()
    for word in words:
        state = game.follow(state, tuple(word if word in own else own[0] for own in game.words(state)))
    return state
