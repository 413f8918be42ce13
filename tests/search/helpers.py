"""Searches as the tests begin them, in Python or, where the game is a circuit, in kernels."""

from __future__ import annotations

from math import inf
from typing import Any

from reasoner.lanes.machine import CircuitMachine
from search import MonotonicClock, Report, SearchOptions
from search.native.search import NativeSearch
from search.plain.search import PlainSearch


def searching(game: Any, role: int = 0, state: Any = None, **options: Any) -> Any:
    """A search that has not thought yet; a native one has one thread."""
    begin = game.initial() if state is None else state
    if not isinstance(game, CircuitMachine):
        return PlainSearch(game, role, begin, SearchOptions(**options), MonotonicClock())
    given = SearchOptions(**{"threads": 1, "memory_mib": 64, "seed": 1} | options)
    return NativeSearch(game, role, begin, given, MonotonicClock())


def thought(game: Any, role: int = 0, state: Any = None, **options: Any) -> Any:
    """A search after its `simulations`."""
    search = searching(game, role, state, **options)
    search.think(inf)
    return search


def value(report: Report, move: str) -> float:
    return next(each.value for each in report.moves if str(each.move) == move)


def visits(report: Report, move: str) -> int:
    return next(each.visits for each in report.moves if str(each.move) == move)


def joint_of(game: Any, state: Any, word: str) -> list[Any]:
    """The joint move in which whoever can makes the move `word`, and the others their first."""
    return [next((move for move in own if str(move) == word), own[0]) for own in game.legal(state)]


def after(game: Any, *words: str) -> Any:
    """The state after these moves of a turn-taking game."""
    state = game.initial()
    for word in words:
        state = game.next(state, joint_of(game, state, word))
    return state


def step(game: Any, search: Any, state: Any, word: str) -> Any:
    """Make a move, of whomever it is, and let the search follow."""
    joint = joint_of(game, state, word)
    state = game.next(state, joint)
    search.advance(joint, state)
    return state


def played(game: Any, **options: Any) -> int | None:
    """What one player alone gets in the end."""
    search, state = searching(game, **options), game.initial()
    while not game.terminal(state):
        search.think(inf)
        state = step(game, search, state, str(search.best()))
    goal: int | None = game.goal(state)[0]
    return goal
