"""The solver of Connect Four that strength is measured with, against trying every game."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.strength.connectfour import Solver, is_over, open_columns


def by_trying(columns: tuple[int, ...]) -> int:
    """The value for the player to move, from every way to go on."""
    if is_over(columns):
        return 0 if not open_columns(columns) and not won(columns) else -1
    return max(-by_trying((*columns, column)) for column in open_columns(columns))


def won(columns: tuple[int, ...]) -> bool:
    """Whether the last stone made a row of four, found cell by cell."""
    heights, cells = [0] * 7, {}
    for turn, column in enumerate(columns):
        cells[column, heights[column]] = turn % 2
        heights[column] += 1
    lines = ((1, 0), (0, 1), (1, 1), (1, -1))
    starts = ((place, step) for place in cells for step in lines)
    return any(all(cells.get((x + i * dx, y + i * dy)) == cells[x, y] for i in range(4)) for (x, y), (dx, dy) in starts)


def a_game(seed: int, stones: int) -> tuple[int, ...]:
    """Random play until so many stones are on the board or the game is over."""
    rng, columns = Random(seed), tuple[int, ...]()
    while len(columns) < stones and not is_over(columns):
        columns = (*columns, rng.choice(open_columns(columns)))
    return columns


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_late_positions_are_worth_what_trying_every_game_says(seed: int) -> None:
    columns = a_game(seed, 35)
    assert Solver().value(columns) == by_trying(columns)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 42))
def test_a_game_is_over_where_four_stand_in_a_row_or_the_board_is_full(seed: int, stones: int) -> None:
    columns = a_game(seed, stones)
    assert is_over(columns) == (won(columns) or not open_columns(columns))
